import { writeFile } from 'node:fs/promises'
import type { CommandContext } from '../command-context.ts'
import type { ReplayedFile } from '../replay-file.ts'
import { unwritableFileError } from '../unwritable-file.ts'
import { htmlReport } from './html.ts'
import { junitReport } from './junit.ts'

/** The name of a report. */
export type ReportKind = 'junit' | 'json' | 'html'

/** The reports of a replay. */
export const reports: Readonly<Record<ReportKind, (replayed: readonly ReplayedFile[]) => string>> =
  {
    junit: junitReport,
    json: (replayed) => `${JSON.stringify(replayed, null, 2)}\n`,
    html: htmlReport,
  }

/** Writes a report to a file, or to stdout. @throws UsageError for a file that cannot be written */
export async function writeReport(
  report: string,
  file: string | undefined,
  { stdout }: CommandContext,
): Promise<void> {
  if (file === undefined) {
    stdout.write(report)
    return
  }
  await writeFile(file, report).catch((error) => {
    throw unwritableFileError(file, error)
  })
}
