// Writes the clients that four generators make of the document of a profile.
import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const names = { documented: 'openapi.json', live: 'openapi.live.json' }
const [profile] = process.argv.slice(2)
const document = 'openapi.json'
const output = `generated/${profile}`
copyFileSync(fileURLToPath(import.meta.resolve(`understudy-api/${names[profile]}`)), document)
const commands = [
  ['openapi-typescript', document, '-o', `${output}/openapi-typescript.d.ts`],
  ['openapi-ts', '-i', document, '-o', `${output}/hey-api`, '--no-log-file'],
  ['orval', '--config', 'orval.config.ts'],
  ['kubb', 'generate', '--config', 'kubb.config.ts'],
]
for (const [name, ...args] of commands) {
  const { status, stdout, stderr } = spawnSync(join('node_modules', '.bin', name), args, {
    encoding: 'utf8',
    env: { ...process.env, OUTPUT: output },
  })
  if (status === 0) continue
  console.error(`${name} failed:\n${stdout}${stderr}`)
  process.exit(1)
}
