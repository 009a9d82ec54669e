import process from 'node:process'

/** Prints the one document that `--json` promises, for machines. */
export function printJson(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`)
}

/** The same on one line, for who reads the first line of what goes on. */
export function printJsonLine(document: unknown): void {
  process.stdout.write(`${JSON.stringify(document)}\n`)
}
