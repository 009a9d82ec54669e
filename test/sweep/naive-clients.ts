import { annotationBody } from '../support/api/annotation.ts'
import { acme, annotationsPath } from '../support/api/paths.ts'

type Row = Record<string, unknown>
type Page = { count: number; next: string | null; results: Row[] }
export type Send = (method: string, url: string, body?: Row) => Promise<Response>

/** What a program knows after it wrote an annotation and read everything back. */
export interface Visit {
  readonly send: Send
  /** The created annotation */
  readonly created: Row
  /** An annotation of another user */
  readonly read: Row
  readonly plugin: Row
}

/** A program that takes something for granted. It throws if the service does otherwise. */
export interface NaiveClient {
  readonly mistake: string
  /** The only variants that break it */
  readonly caughtBy: readonly string[]
  readonly use: (visit: Visit) => unknown
}

/** Writes an annotation, and reads all annotations and a plugin. It follows the documentation, and takes nothing for granted. */
export async function visit(send: Send): Promise<Visit> {
  const ask = async (method: string, url: string, body?: Row): Promise<Row> => {
    const response = await send(method, url, body)
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status}`)
    return response.json()
  }
  const created = await ask('POST', annotationsPath, {
    content: 'Launch',
    date_marker: '2024-06-01T09:00:00.123456Z',
    dashboard_item: 10,
  })
  const ids: unknown[] = []
  for (let next: string | null = `${annotationsPath}?limit=3`; next !== null; ) {
    const page = (await ask('GET', next)) as unknown as Page
    ids.push(...page.results.map(({ id }) => id))
    next = page.next
  }
  if (!ids.includes(created.id)) throw new Error('the created annotation is not listed')
  const read = await ask('GET', `${annotationsPath}1/`)
  const { content } = await ask('GET', `${annotationsPath}${created.id}/`)
  await ask('PATCH', `${annotationsPath}${created.id}/`, { content })
  const plugin = await ask('GET', `/api/organizations/${acme}/plugins/21/`)
  return { send, created, read, plugin }
}

const knownFields = Object.keys(annotationBody()).length

const mustBe = (condition: boolean, what: string): void => {
  if (!condition) throw new Error(`expected ${what}`)
}

async function findByOffsets({ send, created }: Visit, nextOffset: (page: Page) => number) {
  const found: unknown[] = []
  for (let offset = 0, count = 1; offset < count; ) {
    const response = await send('GET', `${annotationsPath}?limit=3&offset=${offset}`)
    const page = (await response.json()) as Page
    found.push(...page.results.map(({ id }) => id))
    count = page.count
    offset = nextOffset({ ...page, count: offset })
  }
  mustBe(found.includes(created.id), 'the created annotation on a page')
}

export const naiveClients: readonly NaiveClient[] = [
  { mistake: 'none: it is tolerant', caughtBy: [], use: () => {} },
  {
    mistake: 'none: it expects the text that it wrote',
    caughtBy: [],
    use: ({ created: { content, dashboard_item } }) =>
      mustBe(content === 'Launch' && dashboard_item === 10, 'its own text'),
  },
  {
    mistake: 'reads the e-mail address of the author, as the release scripts do',
    caughtBy: ['variant.annotation.created_by=null'],
    use: ({ created }) => (created.created_by as { email: string }).email.toLowerCase(),
  },
  {
    mistake: 'computes the offset of the next page instead of following next',
    caughtBy: ['variant.annotation=empty_page'],
    use: (seen) => findByOffsets(seen, ({ count: offset }) => offset + 3),
  },
  {
    mistake: 'knows three scopes',
    caughtBy: ['variant.annotation.scope=new_value'],
    use: ({ created: { scope } }) =>
      mustBe(['dashboard_item', 'project', 'organization'].includes(String(scope)), 'a scope'),
  },
  {
    mistake: 'rejects unknown fields',
    caughtBy: ['variant.annotation=extra_field'],
    use: ({ created }) => mustBe(Object.keys(created).length === knownFields, 'the known fields'),
  },
  {
    mistake: 'stores texts of at most 255 characters',
    caughtBy: ['variant.plugin.description=long_text'],
    use: ({ plugin: { name, description } }) =>
      mustBe(
        [name, description].every((text) => String(text).length <= 255),
        'short texts',
      ),
  },
  {
    mistake: 'orders rows by the fraction of their seconds',
    caughtBy: ['variant.annotation.created_at=seconds'],
    use: ({ read: { created_at } }) =>
      mustBe(created_at === null || /\.\d+Z$/.test(String(created_at)), 'a fraction'),
  },
  {
    mistake: 'shows the first letter of the name',
    caughtBy: ['variant.plugin.name=empty_text'],
    use: ({ plugin: { name } }) => mustBe(String(name).charAt(0) !== '', 'a first letter'),
  },
  {
    mistake: 'shows the color of the author',
    caughtBy: [
      'variant.annotation.created_by.hedgehog_config=null',
      'variant.annotation.created_by=null',
    ],
    use: ({ read }) => {
      const { hedgehog_config } = read.created_by as { hedgehog_config: { color: string } }
      mustBe(hedgehog_config.color.length > 0, 'a color')
    },
  },
  {
    mistake: 'takes the first row for the newest',
    caughtBy: ['variant.annotation=row_order'],
    use: async ({ send }) => {
      const page = (await (await send('GET', annotationsPath)).json()) as Page
      const times = page.results.flatMap(({ date_marker }) => date_marker ?? [])
      const [newest, oldest] = [times[0], times.at(-1)]
      mustBe(newest === oldest || String(newest) > String(oldest), 'the newest first')
    },
  },
]
