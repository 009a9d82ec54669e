import { unexpectedValue } from '../errors.ts'

import { escapeXml } from '../text.ts'

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

/** Prints the text of a report as an HTML page that loads nothing else, for light and dark screens, wide and narrow. */
function toHtml({ title, text }: Report): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="Understudy">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeXml(title)}</title>
<style>
  :root { color-scheme: light dark; }
  body { margin: 0; color: light-dark(#1b2220, #e7eae8); background: light-dark(#fff, #131615);
    font: 0.875rem / 1.45 system-ui, sans-serif; }
  main { max-width: 76rem; margin: 0 auto; padding: 1.25rem; }
  h1 { font-size: 1.25rem; }
  pre { font-size: 0.8rem; white-space: pre-wrap; }
  h1, pre { overflow-wrap: anywhere; }
</style>
</head>
<body>
<main>
<h1>${escapeXml(title)}</h1>
<pre>${escapeXml(text)}</pre>
</main>
</body>
</html>
`
}
