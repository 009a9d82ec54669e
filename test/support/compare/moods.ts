type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** Puts something between a client and a server. */
type Mood = (fetch: Fetch) => Fetch

/** Lets a function replace or change each response, by the number of its request from 1. */
function each(
  change: (response: Response, number: number, url: URL, init: RequestInit) => Response,
): Mood {
  return (fetch) => {
    let number = 0
    return async (input, init = {}) => {
      number += 1
      const at = number
      return change(await fetch(input, init), at, new URL(String(input)), init)
    }
  }
}

/** Replaces a response before the server gets the request. */
function before(replace: (number: number, url: URL, init: RequestInit) => Response | null): Mood {
  return (fetch) => {
    let number = 0
    return async (input, init = {}) => {
      number += 1
      return replace(number, new URL(String(input)), init) ?? fetch(input, init)
    }
  }
}

function withHeaders(headers: Readonly<Record<string, string>>): Mood {
  return each((response) => {
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    return response
  })
}

const page = (status: number, headers: Headers = new Headers()) => {
  headers.set('content-type', 'text/html')
  return new Response('<!doctype html><title>Gateway</title>', { status, headers })
}

const lies: readonly (() => Response)[] = [
  () => page(200),
  () => page(404),
  () => page(502),
  () => Response.json({}),
  () => Response.json({ count: 0, next: null, previous: null, results: [] }),
  () => Response.json({ detail: 'Not found.' }, { status: 404 }),
  () => Response.json({ detail: 'Log in.' }, { status: 401 }),
  () => Response.json({ detail: 'No.' }, { status: 400 }),
]

/** What servers and what is in front of them do now and then. */
export const moods = {
  'a proxy that adds headers': withHeaders({
    via: '1.1 gateway',
    allow: 'GET, POST, PATCH, DELETE',
    'www-authenticate': 'Basic realm="gateway"',
    location: '/',
    'retry-after': '1',
  }),
  'errors as pages': each((response) =>
    response.status >= 400 ? page(response.status, response.headers) : response,
  ),
  'pages for missing paths': each((response) =>
    response.status === 404 ? page(404, response.headers) : response,
  ),
  'a 429 now and then': before((number) =>
    number % 9 === 5
      ? Response.json({ detail: 'Slow down.' }, { status: 429, headers: { 'retry-after': '1' } })
      : null,
  ),
  'redirects of the slash': (fetch) => (input, init) => {
    const url = new URL(String(input))
    if (url.pathname.endsWith('/')) {
      const location = url.pathname.replace(/\/$/, '')
      return Promise.resolve(new Response(null, { status: 301, headers: { location } }))
    }
    return fetch(new URL(`${url.pathname}/${url.search}`, url), init)
  },
  'a burst of failures': each((response, number) =>
    number > 60 && number <= 80 ? Response.json({ detail: 'Oops.' }, { status: 500 }) : response,
  ),
  'fails after 90 requests': before((number) => (number > 90 ? page(503) : null)),
  'refuses all after 120 requests': before((number) =>
    number > 120 ? Response.json({ detail: 'This key was never issued.' }, { status: 401 }) : null,
  ),
  'breaks off after 150 requests': before((number) => {
    if (number > 150) throw new TypeError('fetch failed')
    return null
  }),
} satisfies Readonly<Record<string, Mood>>

/** A server that lies once. */
export function lieOnce(at: number, kind: number): Mood {
  return before((number) => (number === at ? (lies[kind % lies.length]?.() ?? null) : null))
}

/** The values that a client meets, which are what a mood makes of those of the server. */
export function metIn(
  mood: string,
  truth: Readonly<Record<string, string>>,
): Record<string, string> {
  if (mood === 'a 429 now and then') return { ...truth, 'limits.retry_after': 'present' }
  if (mood !== 'errors as pages') return truth
  // A page takes the place of each error, also of one without a body.
  const met = truth['annotations.delete.status']?.replace('405_empty', '405')
  return { ...truth, 'errors.body': 'html', ...(met && { 'annotations.delete.status': met }) }
}
