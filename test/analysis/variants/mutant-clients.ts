import { annotationBody } from '../../support/api/annotation.ts'
import { acme, annotationsPath } from '../../support/api/paths.ts'

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
}

/** A program that takes something for granted. It throws if the service does otherwise. */
export interface MutantClient {
  readonly mistake: string
  /** The only mutants that break it */
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
  await ask('GET', `/api/organizations/${acme}/plugins/21/`)
  return { send, created, read }
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

export const mutantClients: readonly MutantClient[] = [
  { mistake: 'none: it is tolerant', caughtBy: [], use: () => {} },
  {
    mistake: 'none: it expects the text that it wrote',
    caughtBy: [],
    use: ({ created: { content, dashboard_item } }) =>
      mustBe(content === 'Launch' && dashboard_item === 10, 'its own text'),
  },
  {
    mistake: 'none: it expects that a wrong scope is refused, and null',
    caughtBy: [],
    use: async ({ send, created }) => {
      for (const body of [{ scope: 'wrong' }, { deleted: null }]) {
        const { status } = await send('PATCH', `${annotationsPath}${created.id}/`, body)
        mustBe(status === 400, 'a refusal')
      }
    },
  },
  {
    mistake: 'reads the e-mail address of the author, as the release scripts do',
    caughtBy: ['mutate.annotation.created_by=null'],
    use: ({ created }) => (created.created_by as { email: string }).email.toLowerCase(),
  },
  {
    mistake: 'computes the offset of the next page instead of following next',
    caughtBy: ['mutate.annotation=empty_page'],
    use: (seen) => findByOffsets(seen, ({ count: offset }) => offset + 3),
  },
  {
    mistake: 'compares times as texts with six digits, as the client that writes .123Z does',
    caughtBy: ['mutate.annotation.date_marker=offset'],
    use: ({ created: { date_marker } }) =>
      mustBe(date_marker === null || String(date_marker).endsWith('.123456Z'), 'its own time'),
  },
  {
    mistake: 'accepts times without a fraction or with six digits',
    caughtBy: ['mutate.annotation.created_at=milliseconds', 'mutate.annotation.created_at=offset'],
    use: ({ created: { created_at } }) =>
      mustBe(created_at === null || /:\d\d(\.\d{6})?Z$/.test(String(created_at)), 'a time'),
  },
  {
    mistake: 'knows three scopes',
    caughtBy: ['mutate.annotation.scope=new_value'],
    use: ({ created: { scope } }) =>
      mustBe(['dashboard_item', 'project', 'organization'].includes(String(scope)), 'a scope'),
  },
  {
    mistake: 'rejects unknown fields',
    caughtBy: ['mutate.annotation=extra_field'],
    use: ({ created }) => mustBe(Object.keys(created).length === knownFields, 'the known fields'),
  },
  {
    mistake: 'stores ids in 32 bits',
    caughtBy: ['mutate.annotation=large_id'],
    use: ({ created: { id } }) => mustBe(Int32Array.of(Number(id))[0] === id, 'a small id'),
  },
  {
    mistake: 'takes the first field as the id',
    caughtBy: ['mutate.annotation=key_order'],
    use: ({ created }) => mustBe(typeof Object.values(created)[0] === 'number', 'the id first'),
  },
  {
    mistake: 'takes everything behind offset= in next as the offset',
    caughtBy: ['mutate.annotation=next_parameters'],
    use: async ({ send }) => {
      const page = (await (await send('GET', `${annotationsPath}?limit=3`)).json()) as Page
      const [, offset = '0'] = page.next?.split('offset=') ?? []
      mustBe(Number.isInteger(Number(offset)), 'an offset')
    },
  },
  {
    mistake: 'stores contents of at most 255 characters',
    caughtBy: ['mutate.annotation.content=long_text'],
    use: ({ read: { content } }) => mustBe(String(content).length <= 255, 'a short content'),
  },
  {
    mistake: 'sends the content in a header',
    caughtBy: ['mutate.annotation.content=right_to_left'],
    use: ({ read: { content } }) => new Headers({ 'x-annotation': String(content) }),
  },
  {
    mistake: 'orders rows by the fraction of their seconds',
    caughtBy: ['mutate.annotation.created_at=offset', 'mutate.annotation.created_at=seconds'],
    use: ({ read: { created_at } }) =>
      mustBe(created_at === null || /\.\d+Z$/.test(String(created_at)), 'a fraction'),
  },
  {
    mistake: 'shows the first letter of the content',
    caughtBy: ['mutate.annotation.content=empty_text'],
    use: ({ read: { content } }) => mustBe(String(content).charAt(0) !== '', 'a first letter'),
  },
  {
    mistake: 'shows the color of the author',
    caughtBy: [
      'mutate.annotation.created_by.hedgehog_config=null',
      'mutate.annotation.created_by.hedgehog_config=empty_map',
      'mutate.annotation.created_by=null',
    ],
    use: ({ read }) => {
      const { hedgehog_config } = read.created_by as { hedgehog_config: { color: string } }
      mustBe(hedgehog_config.color.length > 0, 'a color')
    },
  },
  {
    mistake: 'takes the first row for the newest',
    caughtBy: ['mutate.annotation=row_order'],
    use: async ({ send }) => {
      const page = (await (await send('GET', annotationsPath)).json()) as Page
      const times = page.results.flatMap(({ date_marker }) => date_marker ?? [])
      const [newest, oldest] = [times[0], times.at(-1)]
      mustBe(newest === oldest || String(newest) > String(oldest), 'the newest first')
    },
  },
  {
    mistake: 'stores the rows of all pages by unique ids',
    caughtBy: ['mutate.annotation=repeated_row'],
    use: async ({ send }) => {
      const ids: unknown[] = []
      for (let next: string | null = `${annotationsPath}?limit=3`; next !== null; ) {
        const page = (await (await send('GET', next)).json()) as Page
        ids.push(...page.results.map(({ id }) => id))
        next = page.next
      }
      mustBe(new Set(ids).size === ids.length, 'unique ids')
    },
  },
  {
    mistake: 'reads a body only if its content type is application/json',
    caughtBy: ['mutate.annotation=charset'],
    use: async ({ send }) => {
      const { headers } = await send('GET', `${annotationsPath}1/`)
      mustBe(headers.get('content-type') === 'application/json', 'JSON')
    },
  },
  {
    mistake: 'reads as many bytes as the content length says',
    caughtBy: ['mutate.annotation=no_length'],
    use: async ({ send }) => {
      const { headers } = await send('GET', `${annotationsPath}1/`)
      mustBe(Number(headers.get('content-length')) > 0, 'a length')
    },
  },
]
