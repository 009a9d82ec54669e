import process from 'node:process'
import { Command } from 'commander'
import { exitCodes } from '../exit.ts'
import { createFlagOptions } from '../flags.ts'
import { type Paint, painter, printJson, type TextTone } from '../output/print.ts'
import type { Check } from './check.ts'
import { checkProxy, checkVariables } from './environment.ts'
import { checkMsw, checkNode, checkPackage } from './packages.ts'
import { checkPort } from './port.ts'
import { checkWorker } from './worker.ts'

interface DoctorFlags {
  readonly port: number
  readonly host: string
  readonly json?: boolean
}

const help = `
It looks at the project in this folder, and changes nothing. Ends with 1 when something keeps it from working.`

/** Looks for what would keep it from working here. */
export function doctorCommand(onEnd: (code: number) => void): Command {
  const command = new Command('doctor')
    .description('Look for what would keep it from working here, and tell what to do.')
    .option('--json', 'print JSON: each check with its outcome, what was found, and what to do')
    .addHelpText('after', help)
    .action(async (flags: DoctorFlags) => onEnd(await examine(flags)))
  for (const option of createFlagOptions('serve')) {
    if (['--port', '--host'].includes(option.long ?? '')) command.addOption(option)
  }
  return command
}

async function examine({ port, host, json }: DoctorFlags): Promise<number> {
  const folder = process.cwd()
  const node = process.versions.node
  const checks: readonly Check[] = [
    checkNode(node),
    checkPackage(folder),
    checkMsw(folder, node),
    checkWorker(folder),
    await checkPort(host, port),
    checkProxy(process.env),
    checkVariables(process.env),
  ]
  const ok = checks.every(({ outcome }) => outcome !== 'failed')
  if (json) printJson({ ok, checks })
  else console.log(checks.map((check) => textOf(check, painter(process.stdout))).join('\n'))
  return ok ? exitCodes.ok : exitCodes.failed
}

const marks: Readonly<Record<Check['outcome'], readonly [mark: string, tone: TextTone]>> = {
  ok: ['✓', 'good'],
  warning: ['!', 'warning'],
  failed: ['✗', 'bad'],
}

function textOf({ name, outcome, found, advice }: Check, paint: Paint): string {
  const [mark, tone] = marks[outcome]
  const line = `${paint(tone, mark)} ${paint('strong', name)}: ${found}`
  return advice === null ? line : `${line}\n  ${advice}`
}
