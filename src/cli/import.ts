import { describeImported, importedAsJson, importFile } from '../import/import-file.ts'
import { kindOf } from '../import/read-exchanges.ts'
import { testRunners } from '../import/test-files.ts'
import { UsageError } from '../utils/errors.ts'
import { statsOf } from '../utils/files.ts'
import { isDevice } from '../world/persistence/atomic-write.ts'
import { defineCommand } from './command.ts'
import { jsonFlag, parseKey, redactFlag } from './flags.ts'
import { orInterrupted, withProgress } from './progress.ts'

const help = `
Requests to other URLs are left out and counted. The scenario starts with a world, a profile and settings that are derived
from the responses. Browsers leave keys out of an export unless you include sensitive data. Such requests get a key of this
world, but for a 401. Lost and slow responses, errors of the server and refusals by a rate limit become faults.

With --as RUNNER, NAME.har becomes NAME.json in the working directory, or --out, with a test beside it; a scenario gets the
field "test"; of one with several keys, NAME.client.json has the requests of one. The test replays the recorded requests with their
faults, and fails on what failed. Call your client in their place.

Examples:
  npx understudy-api import session.har > session.json
  npx understudy-api import session.har --out session.json --base https://app.example.com
  npx understudy-api import incident.har --as vitest
  npx understudy-api import run.json --as pytest                 a scenario

Exit code 2 for an invalid archive. It lists up to 100 issues by entry and field, and writes nothing.`

const flags = {
  '--out <file>': { text: 'file for the scenario (default: stdout)', file: 'write' },
  '--base <url>': 'base URL of the API (default: detected)',
  '--title <text>': 'title of the scenario',
  '--key <label=value>': { text: 'label of a key; can be repeated', parse: parseKey },
  '--as <kind>': {
    text: 'what to write: scenario, or also a test for vitest, playwright, pytest or node',
    choices: ['scenario', ...testRunners],
    default: 'scenario',
  },
  '--keep': 'keep personal data, and secrets but keys',
  '--redact <name>': redactFlag,
  '--force': 'overwrite a scenario or a test that exists',
  '--json': jsonFlag,
} as const

export default defineCommand({
  name: 'import',
  summary: 'Convert a HAR archive to a scenario, and write a test of it.',
  args: [['<file>', 'HAR archive; with --as RUNNER also a scenario']],
  flags,
  help,
  async run([file], flags, context) {
    const { as, json } = flags
    const input = await context.read(file)
    const runner = as === 'scenario' ? undefined : as
    if (json && !runner && flags.out === undefined && kindOf(input) !== 'scenario') {
      throw new UsageError('--json requires --out. Without it, the scenario is printed to stdout.')
    }
    const imported = await importFile(input, { ...flags, runner }, (describe, work) => {
      const describeEnd = () => `${describe()}. Nothing was written.`
      return withProgress(context, describe, orInterrupted(context, describeEnd, work))
    })
    const { out, parts } = imported
    if (out === undefined) for (const part of parts) context.stdout.write(part)
    if (json) context.printJson(importedAsJson(imported))
    else {
      const { summary, lines } = describeImported(imported)
      const stats = out === undefined ? undefined : statsOf(out)
      // The reader of stdout or of a device wants the scenario only.
      if (out === undefined) context.printError(String(summary))
      else if (stats && isDevice(stats)) context.printError(`${out}: ${summary}`)
      else if (summary !== null) context.print(`${out}: ${summary}`)
      for (const line of lines) {
        if (out === undefined) context.printError(line)
        else context.print(line)
      }
    }
    for (const warning of imported.warnings) context.printError(warning)
  },
})
