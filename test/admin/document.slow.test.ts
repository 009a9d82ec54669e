import { expect, test } from 'vitest'
import { readDocument } from '../support/repository/readme.ts'
import { root } from '../support/root.ts'

const { generated } = await import(new URL('.tools/documents.mjs', `file://${root}`).href)

test('the OpenAPI document of the admin API is what npm run docs writes', async () => {
  const file = 'src/admin/openapi.json'

  expect(readDocument(file)).toBe(await generated[file]?.())
})
