import { readFileSync } from 'node:fs'
import { validateXML } from 'xmllint-wasm'

const schema = readFileSync(new URL('junit.xsd', import.meta.url), 'utf8')

/** Finds what a JUnit report contains against its schema, as lines. */
export async function findJunitIssues(xml: string): Promise<string[]> {
  const { errors } = await validateXML({ xml, schema })
  return errors.map(({ rawMessage }) => rawMessage)
}
