import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import draft from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' }
import schemas from 'har-schema'
import { validateXML } from 'xmllint-wasm'

/** What an archive has against the published schema of HAR 1.2; null where it has nothing. */
export function findHarIssues(har: unknown): unknown {
  // Chromium writes an empty address where it reached nobody.
  const formats = { ipv4: /^(\d+(\.\d+){3})?$/, ipv6: /:/, 'date-time': true, uri: true } as const
  const ajv = new Ajv({ strict: false, formats })
  ajv.addMetaSchema(draft)
  for (const schema of Object.values(schemas)) ajv.addSchema(schema)
  ajv.validate('har.json#', har)
  return ajv.errors
}

/** What a JUnit report has against its schema, as lines. */
export async function findJunitIssues(xml: string): Promise<string[]> {
  const schema = readFileSync(new URL('junit.xsd', import.meta.url), 'utf8')
  const { errors } = await validateXML({ xml, schema })
  return errors.map(({ rawMessage }) => rawMessage)
}
