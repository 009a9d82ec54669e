import { readFileSync } from 'node:fs'
import { describeTest, summarizeImported } from '../../src/import/describe-imported.ts'
import { type ImportFileOptions, importFile } from '../../src/import/import-file.ts'
import { Input } from '../../src/utils/input.ts'

/** Imports the text of a file. Without a runner and `out`, nothing is written. @returns also what is said of it */
export async function importText(
  text: string,
  options: ImportFileOptions = {},
  name = 'traffic.har',
  isPipe = false,
) {
  const imported = await importFile(new Input(name, Buffer.from(text), isPipe), options)
  const { test, warnings } = imported
  const said = [summarizeImported(imported), ...(test ? describeTest(test) : [])]
  const says = said.filter((line) => line !== null).join('\n')
  return { ...imported, scenario: JSON.parse(imported.text), says, warns: warnings.join('\n') }
}

/** Imports a file. */
export function importNamed(file: string, options: ImportFileOptions = {}) {
  return importText(readFileSync(file, 'utf8'), options, file)
}
