import { expect, test } from 'vitest'
import { openBuiltInWorld } from '../../src/world/load/built-in-worlds.ts'
import { KeptPages, pagesOf } from '../../src/world/response-texts.ts'
import { forkTables, type Tables } from '../../src/world/tables.ts'

const million = 1024 * 1024

/** The pages of annotations that were made with these rows. */
const annotationPages = (tables: Tables): KeptPages => pagesOf(tables, tables.annotations)

test('a copy of the rows, as after a reset, starts with the pages of the original', () => {
  const { tables } = openBuiltInWorld('default')
  annotationPages(tables).set('page', 'text')

  const copy = forkTables(tables)

  expect(annotationPages(copy).get('page')).toBe('text')
})

test.each([
  ['an annotation', (tables: Tables) => void tables.annotations.remove(1)],
  ['a user', (tables: Tables) => void tables.users.put({ ...first(tables), first_name: 'Ada' })],
])(
  'no page stays when %s is written, and a reset returns to none of the pages between',
  (_, write) => {
    const { tables } = openBuiltInWorld('default')
    annotationPages(tables).set('page', 'before')
    const changed = forkTables(tables)

    write(changed)
    const known = annotationPages(changed).get('page')
    annotationPages(changed).set('page', 'between')
    const reset = forkTables(tables)

    expect(known).toBe(undefined)
    expect(annotationPages(reset).get('page')).not.toBe('between')
  },
)

function first({ users }: Tables) {
  const [user] = users.values()
  if (!user) throw new Error('The world has no user.')
  return user
}

test('the pages are at most twenty, and have at most four million characters', () => {
  const pages = new KeptPages()
  const keptOf = (count: number) =>
    Array.from({ length: count }, (_, page) => pages.get(String(page))).filter(Boolean).length

  for (let page = 0; page < 50; page++) pages.set(String(page), 'text')
  const few = keptOf(50)
  for (let page = 0; page < 5; page++) pages.set(String(page), 'x'.repeat(million))
  const long = keptOf(5)
  pages.set('0', 'x'.repeat(4 * million + 1))

  expect(few).toBeGreaterThan(0)
  expect(few).toBeLessThanOrEqual(20)
  expect(long).toBeGreaterThan(0)
  expect(long).toBeLessThanOrEqual(4)
  expect(pages.get('0')?.length ?? 0).toBeLessThan(4 * million)
})
