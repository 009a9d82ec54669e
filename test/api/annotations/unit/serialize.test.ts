import { expect, test } from 'vitest'
import { annotationShape } from '../../../../src/api/annotations/annotation.ts'
import { serializeAnnotation } from '../../../../src/api/annotations/annotations.ts'
import type { JsonSchema } from '../../../../src/http/fields/body-fields.ts'
import { openBuiltInWorld } from '../../../../src/world/load/built-in-worlds.ts'
import type { AnnotationRow, DashboardItemRow } from '../../../../src/world/rows.ts'
import { createEntry } from '../../../../src/world/table/table.ts'

const texts = Object.entries(annotationShape.properties as { [name: string]: JsonSchema })
  .filter(([, { type, format }]) => [type].flat().includes('string') && format === undefined)
  .map(([name]) => name)

test.each(texts)('a quotation mark in %s is escaped', (name) => {
  const { tables } = openBuiltInWorld('default')
  const item = tables.dashboard_items.get(10) as DashboardItemRow
  const row = { ...(tables.annotations.get(1) as AnnotationRow), dashboard_item: 10 }
  Object.assign(row, { [name]: 'a "quoted" text' })
  const field = name.replace('insight_', '')
  tables.dashboard_items.replace({ ...item, [field]: 'a "quoted" text' })

  const { text, bytes } = serializeAnnotation(
    createEntry(row, 0),
    tables,
    tables.embedded.current(tables),
  )

  const annotation = JSON.parse(text)
  expect(annotation[name]).toBe('a "quoted" text')
  expect(bytes).toBe(Buffer.byteLength(text))
})
