import { readFileSync } from 'node:fs'
import {
  describeImported,
  type ImportFileOptions,
  importFile,
} from '../../src/import/import-file.ts'
import { Input } from '../../src/utils/input.ts'

/** Imports the text of a file. Without a runner and `out`, nothing is written. @returns also what is said of it */
export async function importText(
  text: string,
  options: ImportFileOptions = {},
  name = 'traffic.har',
  isPipe = false,
) {
  const imported = await importFile(new Input(name, Buffer.from(text), isPipe), options)
  const { summary, lines } = describeImported(imported)
  const written = [...imported.parts].join('')
  const says = [summary, ...lines].filter((line) => line !== null).join('\n')
  return {
    ...imported,
    text: written,
    scenario: JSON.parse(written),
    says,
    warns: imported.warnings.join('\n'),
  }
}

/** Imports a file. */
export function importNamed(file: string, options: ImportFileOptions = {}) {
  return importText(readFileSync(file, 'utf8'), options, file)
}
