import { unexpectedValue } from '../errors.ts'
import { toHtml } from './html.ts'
import { toJunit } from './junit.ts'
import type { Report, ReportRun } from './report.ts'

/** The printers of reports, by the extensions of files. */
const printers = {
  html: toHtml,
  json: ({ json }: Report): string => `${JSON.stringify(json, null, 2)}\n`,
  xml: toJunit,
}

/** The extension of a file that a report can be written to. */
type Extension = keyof typeof printers

/** Prints a report for a file, or for an extension. */
export function printReport(report: Report, file: string, run?: ReportRun): string {
  return printers[extensionOf(file) as Extension](report, run)
}

function extensionOf(file: string): string {
  return /[^.]*$/.exec(file)?.[0] ?? ''
}

/** @param task completes "Failed to …", such as `read --report` @throws UsageError for another extension */
export function checkExtension(file: string, task: string): void {
  if (file.includes('.') && Object.hasOwn(printers, extensionOf(file))) return
  const names = Object.keys(printers).join(', .')
  throw unexpectedValue(task, `a file that ends with one of .${names}`, file)
}
