import { basename } from 'node:path'
import { isRequestStep } from '../scenarios/format/scenario.ts'
import type { JournalLimits } from '../simulator/journal/journal.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { statsOf } from '../utils/files.ts'
import { formatJson } from '../utils/format-json.ts'
import { formatCount, quoteForShell } from '../utils/text.ts'
import { writeNamedFile } from '../world/persistence/atomic-write.ts'
import type { CommandLine } from './run-command.ts'

/** The journal of a run that is recorded keeps more than that of other runs. */
export const wholeRun: JournalLimits = { entries: 100_000, bytes: 256 * 2 ** 20, body: 4 * 2 ** 20 }

/**
 * Writes the requests of a command as a scenario.
 *
 * @returns `end`, which writes them and says what was written. It throws a UsageError for a file that cannot be
 */
export function recordRun(
  simulator: Simulator,
  file: string,
  [command]: CommandLine,
): { end(): Promise<string[]> } {
  let inSandboxes = 0
  simulator.sandboxes.follow((_, { journal }) => {
    journal.followWritten(() => {
      inSandboxes += 1
    })
  })
  return {
    async end() {
      if (simulator.journal.find({ limit: 1 }).length === 0) {
        const reason =
          inSandboxes === 0
            ? 'the command sent no request'
            : 'the command sent requests to sandboxes only, which are not recorded'
        const kept = statsOf(file) ? ' It still has its earlier content.' : ''
        return [`${file} was not written, because ${reason}.${kept}`]
      }
      const { scenario, warnings } = simulator.record({ title: `A run of ${basename(command)}` })
      await writeNamedFile(file, `${formatJson(scenario)}\n`)
      const name = quoteForShell(file)
      const count = formatCount(scenario.steps.filter(isRequestStep).length, 'request')
      return [
        `Wrote ${count} to ${file}. Replay them with: npx understudy-api replay ${name}. Write a test of them with: npx understudy-api import ${name} --as vitest`,
        ...warnings.map((warning) => `${file}: ${warning}`),
      ]
    },
  }
}
