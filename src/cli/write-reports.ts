import { writeFile } from 'node:fs/promises'
import { failToWrite } from '../utils/files.ts'
import { printReport } from '../utils/reports/printers.ts'
import type { Report } from '../utils/reports/report.ts'
import type { CommandContext } from './command-context.ts'

/** Writes a report to files, to each in the format of its extension. @throws UsageError */
export async function writeReports(
  report: Report,
  files: readonly string[],
  { run }: CommandContext,
): Promise<void> {
  for (const file of files) {
    await writeFile(file, printReport(report, file, run)).catch(failToWrite(file))
  }
}
