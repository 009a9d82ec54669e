import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'

const addressCure =
  'The client of the command has to read the address from UNDERSTUDY_URL and the key from UNDERSTUDY_KEY, or from variables that you name: --env API_URL=url --env API_KEY=key. Tests with simulators of their own do not need exec.'

const turboCure =
  'Turborepo passes on only the variables that turbo.json names: add "globalPassThroughEnv": ["UNDERSTUDY_*"] to it.'

/**
 * Says what may keep the requests of a command from the server: a sentence for each cure.
 *
 * @param folder where the command ran
 */
export function explainMissing(
  folder: string = process.cwd(),
  env: NodeJS.ProcessEnv = process.env,
): string[] {
  const proxy = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY'].find((name) => env[name])
  const isExempt = /(^|,)(\*|127\.0\.0\.1)(,|$)/.test(env.NO_PROXY ?? env.no_proxy ?? '')
  return [
    addressCure,
    ...(isInTurborepo(folder) ? [turboCure] : []),
    ...(proxy !== undefined && !isExempt
      ? [`${proxy} is set: clients that use it need NO_PROXY=localhost,127.0.0.1.`]
      : []),
  ]
}

/** Whether the folder, or one around it, has the file of Turborepo. */
function isInTurborepo(folder: string): boolean {
  if (existsSync(join(folder, 'turbo.json')) || existsSync(join(folder, 'turbo.jsonc'))) return true
  return dirname(folder) !== folder && isInTurborepo(dirname(folder))
}
