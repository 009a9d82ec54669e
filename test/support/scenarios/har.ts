import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import draft from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' }
import type { Har } from 'har-format'
import schemas from 'har-schema'
import { isObject } from '../../../src/utils/json.ts'
import { annotationBody } from '../api/annotation.ts'
import { temporaryFolder } from '../files.ts'
import { root } from '../root.ts'

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

/**
 * An archive of one session of a browser, written by its developer tools or by Playwright. Annotations in it have each
 * field that the API has today, so that a replay gets the recorded bodies.
 */
export function sessionArchive(exporter: 'chromium' | 'playwright'): string {
  const name = `${exporter}.har`
  const har: Har = JSON.parse(readFileSync(`${root}test/adapters/har/archives/${name}`, 'utf8'))
  for (const { response } of har.log.entries) {
    const { content } = response
    if (content.mimeType !== 'application/json' || !content.text) continue
    const encoding = content.encoding === 'base64' ? 'base64' : 'utf8'
    const body = JSON.parse(Buffer.from(content.text, encoding).toString(), completeAnnotation)
    content.text = Buffer.from(JSON.stringify(body)).toString(encoding)
  }
  return join(temporaryFolder({ [name]: har }), name)
}

function completeAnnotation(_name: string, value: unknown): unknown {
  return isObject(value) && 'insight_name' in value ? annotationBody(value) : value
}
