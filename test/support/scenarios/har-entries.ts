/** The base URL of the entries. */
export const base = 'https://api.example.com'
/** What an entry requests. */
export const list = `${base}/api/projects/1/annotations/`
/** The response of an entry. */
export const page = '{"count":0,"next":null,"previous":null,"results":[]}'

/** What an entry of an archive has besides its method, URL, status and page. */
interface EntryInput {
  readonly entry?: object
  readonly request?: object
  readonly response?: object
}

/** An entry of an archive: a request that finds no rows. */
export function entry({ entry = {}, request = {}, response = {} }: EntryInput = {}): object {
  return {
    startedDateTime: '2024-06-15T12:00:00.000Z',
    time: 2,
    request: { method: 'GET', url: list, headers: [], ...request },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { text: page },
      ...response,
    },
    ...entry,
  }
}

/** The text of an archive. An entry can be a text of its own. */
export function archive(...entries: (object | string)[]): string {
  const texts = entries.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry)))
  return `{"log":{"version":"1.2","entries":[${texts.join(',')}]}}`
}
