import { writeFile } from 'node:fs/promises'
import process from 'node:process'
import { unexpectedValue } from '../../usage-error.ts'
import { htmlReport } from './html.ts'
import { junitReport } from './junit.ts'
import type { ReplayedFile } from './replayed.ts'

/** What a replay came to, in the forms it is read in. */
export const reports: Readonly<Record<ReportKind, (replayed: readonly ReplayedFile[]) => string>> =
  {
    junit: junitReport,
    json: (replayed) => `${JSON.stringify(replayed, null, 2)}\n`,
    html: htmlReport,
  }

/** The name of a report. */
export type ReportKind = 'junit' | 'json' | 'html'

/** Writes a report, or an archive, where it is wanted. @throws UsageError for a file that cannot be written */
export async function writeReport(
  what: string,
  report: string,
  file: string | undefined,
): Promise<void> {
  if (file === undefined) {
    process.stdout.write(report)
    return
  }
  try {
    await writeFile(file, report)
  } catch (error) {
    const { code } = error as { code?: string }
    throw unexpectedValue(`write the ${what}`, 'a file that can be written', `${file} (${code})`)
  }
}
