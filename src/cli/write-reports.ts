import { checkWritable } from '../utils/files.ts'
import { printReport } from '../utils/reports/printers.ts'
import type { Report } from '../utils/reports/report.ts'
import { writeNamedFile } from '../world/persistence/atomic-write.ts'
import type { CommandContext } from './command-context.ts'

/** Writes a report to files, to each in the format of its extension, and says so. @throws UsageError */
export async function writeReports(
  report: Report,
  files: readonly string[],
  context: Pick<CommandContext, 'run' | 'printError'>,
): Promise<void> {
  for (const file of files) {
    checkWritable(file)
    await writeAndSay(file, printReport(report, file, context.run), 'The report is', context)
  }
}

/** Writes a file, and says on stderr where it is. @throws UsageError @param subject such as `The report is` */
export async function writeAndSay(
  file: string,
  text: string,
  subject: string,
  context: Pick<CommandContext, 'printError'>,
): Promise<void> {
  await writeNamedFile(file, text, 0o666)
  context.printError(`${subject} in ${file}.`)
}
