import { checkWritable } from '../utils/files.ts'
import { printReport } from '../utils/reports/printers.ts'
import type { Report, ReportRun } from '../utils/reports/report.ts'
import { writeNamedFile } from '../world/persistence/atomic-write.ts'

/** The run that reports are about, and where to say in which files they are. */
interface ReportedRun {
  readonly run: ReportRun
  printError(sentence: string): void
}

/** Writes a report to files, to each in the format of its extension, and says so. @throws UsageError */
export async function writeReports(
  report: Report,
  files: readonly string[],
  reported: ReportedRun,
): Promise<void> {
  for (const file of files) {
    // Playwright empties its folder of results when a run starts.
    checkWritable(file)
    await writeNamedFile(file, printReport(report, file, reported.run), 0o666)
    reported.printError(`The report is in ${file}.`)
  }
}
