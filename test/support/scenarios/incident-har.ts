import { createRow, createPage as page } from './traffic.ts'

const url = 'https://app.example.com/api/projects/1/annotations/'
const start = Date.parse('2024-06-15T12:00:00Z')

/** @param seconds after the first request @param received the body, or the error of a lost response */
function entry(seconds: number, method: string, sent: object | null, received: object | string) {
  const isLost = typeof received === 'string'
  const json = { name: 'content-type', value: 'application/json' }
  return {
    startedDateTime: new Date(start + seconds * 1_000).toISOString(),
    time: isLost ? 30_000 : 80,
    request: {
      method,
      url,
      httpVersion: 'h2',
      cookies: [],
      queryString: [],
      headers: [{ name: ':method', value: method }],
      headersSize: -1,
      bodySize: sent ? JSON.stringify(sent).length : 0,
      ...(sent && { postData: { mimeType: 'application/json', text: JSON.stringify(sent) } }),
    },
    response: {
      status: isLost ? 0 : method === 'POST' ? 201 : 200,
      statusText: '',
      httpVersion: isLost ? '' : 'h2',
      cookies: [],
      headers: isLost ? [] : [json],
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      content: isLost
        ? { size: 0, mimeType: 'x-unknown' }
        : { size: 1, mimeType: 'application/json', text: JSON.stringify(received) },
      ...(isLost && { _error: received }),
    },
    cache: {},
    timings: { send: 0, wait: 80, receive: 0 },
  }
}

const launch = { content: 'Launch', scope: 'project' }
const [deploy, first, second] = [
  [4, 'Deploy', '2024-06-01T09:00:00Z'] as const,
  [5, 'Launch', '2024-06-15T12:00:01Z'] as const,
  [6, 'Launch', '2024-06-15T12:00:32Z'] as const,
].map(([id, content, created_at]) => {
  return createRow(id, content, { date_marker: null, created_at, updated_at: created_at })
}) as [object, object, object]

/**
 * The archive of a browser, without keys. A create times out after 30 seconds, the page sends it again, and the list has
 * both rows.
 */
export const incidentHar = {
  log: {
    version: '1.2',
    creator: { name: 'WebInspector', version: '537.36' },
    pages: [],
    entries: [
      entry(0, 'GET', null, page(deploy)),
      entry(1, 'POST', launch, 'net::ERR_TIMED_OUT'),
      entry(32, 'POST', launch, second),
      entry(33, 'GET', null, page(second, first, deploy)),
    ],
  },
} as const
