import { unexpectedValue } from '../usage-error.ts'

/** Writers of a report, by the extension of its file. */
type Formats<Format> = Readonly<Record<string, Format>>

/** The format of a report by the extension of its file, or undefined for another extension. */
export function formatOf<Format>(formats: Formats<Format>, file: string): Format | undefined {
  const extension = /\.([^./\\]+)$/.exec(file)?.[1] ?? ''
  return Object.hasOwn(formats, extension) ? formats[extension] : undefined
}

/**
 * The format of a report by the extension of its file.
 *
 * @param task completes "Failed to …", such as `read --report`
 * @throws UsageError for another extension
 * @example checkedFormatOf({ html, json }, 'run.html', 'read --report') // html
 */
export function checkedFormatOf<Format>(
  formats: Formats<Format>,
  file: string,
  task: string,
): Format {
  const format = formatOf(formats, file)
  if (format !== undefined) return format
  const expected = `a file that ends with one of .${Object.keys(formats).join(', .')}`
  throw unexpectedValue(task, expected, file)
}
