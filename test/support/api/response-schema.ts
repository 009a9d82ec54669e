import * as z from 'zod'
import { toJsonSchema } from '../../../.tools/openapi/json-schema.ts'
import type { Endpoint } from '../../../src/http/endpoint.ts'
import { resolveBySetting } from '../../../src/settings/by-setting.ts'
import type { SettingValues } from '../../../src/settings/setting.ts'

/**
 * Validates bodies by the schema of the OpenAPI document.
 *
 * @param isOpen allows further fields. The documentation lists fields and does not exclude others. The OpenAPI document
 *   does, because the simulator returns no others
 * @returns a function that returns what is wrong with a body, or null
 */
export function responseValidator(
  { response }: Endpoint,
  settings: SettingValues,
  { isOpen = false }: { isOpen?: boolean } = {},
): (body: unknown) => string | null {
  const schema = toJsonSchema(resolveBySetting(response, settings), 'output', settings)
  const text = JSON.stringify(schema)
  const zod = z.fromJSONSchema(
    JSON.parse(isOpen ? text.replaceAll(',"additionalProperties":false', '') : text),
  )
  return (body) => zod.safeParse(body).error?.message ?? null
}
