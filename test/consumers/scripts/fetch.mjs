// What a client sees of fetch in withSimulator, which calls handlers directly, against the same requests over HTTP.
// Prints the cases that differ.
import { gzipSync } from 'node:zlib'
import { HttpResponse, http } from 'msw'
import { createSimulator } from 'understudy-api'
import { listen, withSimulator } from 'understudy-api/node'

const annotations = '/api/projects/1/annotations/'
const auth = { authorization: 'Bearer phx_all' }
const json = { ...auth, 'content-type': 'application/json' }

const bytes = (text) => new TextEncoder().encode(text)
const streamOf = (...texts) =>
  new ReadableStream({
    pull(controller) {
      const text = texts.shift()
      if (text === undefined) controller.close()
      else controller.enqueue(bytes(text))
    },
  })
const after = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const form = () => {
  const data = new FormData()
  data.set('content', 'Größer')
  return data
}

/** Returns what a handler sees of a request. */
const echo = async ({ request }) => {
  const { method, url, headers } = request
  const type = headers.get('content-type')?.replace(/boundary=.*/, 'boundary')
  const body = (await request.text()).replace(/-{2,}[\w-]+/g, '--boundary')
  const { pathname, search } = new URL(url)
  return HttpResponse.json({ method, pathname, search, type, note: headers.get('x-note'), body })
}

const of = (path) => `*/own/${path}`
const to = (location, status, init) => () =>
  new HttpResponse(null, { status, headers: { location }, ...init })
const handlers = [
  http.all(of('echo'), echo),
  http.all(of('empty'), () => new HttpResponse(null, { status: 204 })),
  http.all(of('same'), () => new HttpResponse(null, { status: 304, headers: { etag: '"1"' } })),
  http.all(of('teapot'), () =>
    HttpResponse.json({ short: true }, { status: 418, statusText: 'Short and stout' }),
  ),
  http.all(of('cookies'), () => {
    const headers = new Headers({ 'x-one': '1' })
    for (const cookie of ['a=1; Path=/', 'b=2; HttpOnly']) headers.append('set-cookie', cookie)
    return new HttpResponse('set', { headers })
  }),
  http.all(of('gzip'), () => {
    const headers = { 'content-encoding': 'gzip', 'content-type': 'text/plain' }
    return new HttpResponse(gzipSync('packed'), { headers })
  }),
  http.all(of('chunks'), () => {
    // Without a type, a server gives the response an origin of its own.
    const headers = { 'content-type': 'text/plain' }
    return new HttpResponse(streamOf('one ', 'two ', 'three'), { headers })
  }),
  http.all(of('endless'), () => {
    const pull = async (controller) => after(5).then(() => controller.enqueue(bytes('more ')))
    return new HttpResponse(new ReadableStream({ pull }, { highWaterMark: 0 }))
  }),
  http.all(of('late'), async () => after(200).then(() => new HttpResponse('late'))),
  http.all(of('thrown'), () => {
    throw HttpResponse.json('thrown', { status: 409 })
  }),
  http.all(of('found'), to('/own/echo?from=found', 302)),
  http.all(of('see-other'), to('echo', 303)),
  http.all(of('moved'), to('/own/echo', 308)),
  http.all(of('twice'), to('/own/found', 307)),
  http.all(of('file'), to('file:///etc/hosts', 302)),
  http.all(of('for-ever'), to('/own/for-ever', 302)),
  http.all(of('nowhere'), () => new HttpResponse('nowhere', { status: 302 })),
  http.all(of('dropped'), () => HttpResponse.error()),
]

/** A client that receives one response. */
const get = (path, init) => (send) => send(path, init).then(describe)
const post = (path, body, init) => get(path, { method: 'POST', body, ...init })
const request = (path, init) => (send) =>
  send(path, init, (url, options) => new Request(url, options)).then(describe)

const cases = {
  'a row': get(`${annotations}1/`, { headers: auth }),
  'a path without its slash': get(`${annotations}1`, { headers: auth }),
  'a refusal': get(annotations),
  'a method that is refused': get(`${annotations}1/`, { method: 'DELETE', headers: auth }),
  'a row that is created': post(annotations, '{"content":"New"}', { headers: json }),
  HEAD: get(annotations, { method: 'HEAD', headers: auth }),
  OPTIONS: get(annotations, { method: 'OPTIONS', headers: auth }),
  'a lower-case method': get('/own/echo', { method: 'delete' }),
  'HEAD of an own handler': get('/own/teapot', { method: 'HEAD' }),
  204: get('/own/empty'),
  304: get('/own/same'),
  'a status with its text': get('/own/teapot'),
  cookies: get('/own/cookies'),
  'an encoded body': get('/own/gzip'),
  'a body in chunks': get('/own/chunks'),
  'a response that is thrown': get('/own/thrown'),
  'a query and a fragment': get('/own/echo?a=1&a=2#part'),

  'a text': post('/own/echo', 'Größer'),
  bytes: post('/own/echo', bytes('Größer')),
  'an empty body': post('/own/echo', ''),
  parameters: post('/own/echo', new URLSearchParams({ a: '1 2' })),
  'a form': post('/own/echo', form()),
  'a blob': post('/own/echo', new Blob(['blob'], { type: 'text/x-blob' })),
  'a stream': (send) =>
    send('/own/echo', { method: 'POST', body: streamOf('a', 'b'), duplex: 'half' }).then(describe),
  'a Request': request('/own/echo', { method: 'PUT', body: 'of the request' }),
  'a Request with options': (send) =>
    send('/own/echo', { method: 'PUT', body: 'replaced' }, (url, options) => [
      new Request(url, { method: 'POST', body: 'first', headers: { 'x-note': 'kept' } }),
      options,
    ]).then(describe),
  'the body of a Request is used up': async (send) => {
    let sent
    await send('/own/echo', { method: 'PUT', body: 'once' }, (url, options) => {
      sent = new Request(url, options)
      return sent
    })
    return [sent.bodyUsed, await send('', {}, () => sent).then(describe)]
  },

  'a redirect': get('/own/found'),
  'a redirect after POST': post('/own/found', 'lost'),
  303: post('/own/see-other', 'lost', { headers: { 'x-note': 'kept' } }),
  '308 of GET': get('/own/moved'),
  'two redirects': get('/own/twice'),
  'a redirect without location': get('/own/nowhere'),
  'a redirect by hand': get('/own/found', { redirect: 'manual' }),
  'endless redirects': get('/own/for-ever'),
  'a redirect of PATCH': get('/own/moved', { method: 'PATCH', body: 'kept', headers: json }),
  'a redirect of a form': post('/own/moved', form()),
  'a redirect of a Request': request('/own/moved', { method: 'POST', body: 'kept' }),
  'a redirect to another scheme': get('/own/file'),
  'a redirect is an error': get('/own/found', { redirect: 'error' }),

  'a connection that drops': (send) => send('/own/dropped').then(describe),
  'a fault that drops it': get(`${annotations}6/`, { headers: auth }),
  'a body that is cut': get(`${annotations}5/`, { headers: auth }),
  'a signal that has aborted': get('/own/echo', { signal: AbortSignal.abort() }),
  'a signal with a reason': get('/own/echo', { signal: AbortSignal.abort('mine') }),
  'an abort while it waits': (send) => send('/own/late', abortIn(20)).then(describe),
  'a timeout': get('/own/late', { signal: AbortSignal.timeout(20) }),
  'the signal of a Request': request('/own/late', abortIn(20)),
  'an abort in the body': (send) => send('/own/endless', abortIn(60)).then(describe),
  'an abort before the body is read': async (send) => {
    const controller = new AbortController()
    const response = await send('/own/teapot', { signal: controller.signal })
    controller.abort()
    return response.text()
  },
  'an abort after the body is read': async (send) => {
    const controller = new AbortController()
    const response = await send('/own/teapot', { signal: controller.signal })
    const text = await response.text()
    controller.abort()
    return text
  },
  'an abort of a clone': async (send) => {
    const controller = new AbortController()
    const clone = (await send('/own/teapot', { signal: controller.signal })).clone()
    controller.abort()
    return clone.text()
  },
  'a body that is left': async (send) => {
    const { body } = await send('/own/endless')
    const reader = body.getReader()
    await reader.read()
    return [await reader.cancel('enough'), await reader.closed]
  },

  'a clone': async (send) => {
    const response = await send('/own/teapot')
    const clone = response.clone()
    const again = clone.clone()
    return [await describe(clone), await describe(again), await describe(response)]
  },
  'a body is read once': async (send) => {
    const response = await send('/own/teapot')
    return [await response.json(), response.bodyUsed, await response.text()]
  },
  'headers cannot be changed': async (send) => {
    const { headers } = await send('/own/teapot')
    headers.set('x-mine', '1')
  },
  'the headers of a clone cannot be changed': async (send) => {
    const { headers } = (await send('/own/teapot')).clone()
    headers.append('x-mine', '1')
  },
  'the type of a response': async (send) => (await send('/own/teapot')).type,
  'headers can be copied': async (send) => {
    const response = await send('/own/teapot')
    const copy = new Headers(response.headers)
    copy.set('x-mine', '1')
    const changed = new Response(response.body, response)
    changed.headers.set('x-mine', '2')
    return [copy.get('x-mine'), changed.headers.get('x-mine'), changed.status, await changed.text()]
  },
  'bytes, blobs and forms': async (send) => {
    const response = await send('/own/teapot')
    const { size, type } = await response.clone().blob()
    const buffer = await response.arrayBuffer()
    return [size, type, buffer.byteLength, response instanceof Response, String(response)]
  },
  'an invalid URL': (send) => send('', {}, () => 'http://'),
  'an invalid header': get('/own/echo', { headers: { 'x y': '1' } }),
  'GET with a body': get('/own/echo', { body: 'text' }),
  'a URL with a password': (send) => send('', {}, (url) => url.replace('//', '//a:b@')),
  'requests at once': async (send) => {
    const paths = Array.from({ length: 20 }, (_, index) => `/own/echo?number=${index}`)
    const all = await Promise.all(paths.map((path) => send(path).then((one) => one.json())))
    return all.map(({ search }) => search)
  },
}

function abortIn(milliseconds) {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), milliseconds)
  return { signal: controller.signal }
}

async function describe(response) {
  const { status, statusText, ok, redirected, url, headers, body } = response
  const { pathname, search, hash } = new URL(url)
  const transport = ['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding']
  const named = [...headers].filter(([name]) => !transport.includes(name))
  const facts = { status, statusText, ok, redirected, url: pathname + search + hash }
  const text = (await response.text()).replaceAll(new URL(url).origin, 'ORIGIN')
  const steady = text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
  return {
    ...facts,
    headers: named,
    hasBody: body !== null,
    bodyUsed: response.bodyUsed,
    text: steady,
  }
}

/** What a case returns, or the error that a client can catch. */
async function resultOf(run, origin) {
  const send = (path, init, toInput = (url) => url) => {
    const input = toInput(origin + path, init)
    const args = Array.isArray(input) ? input : [input, ...(input instanceof Request ? [] : [init])]
    return fetch(...args)
  }
  try {
    return { returned: await run(send) }
  } catch (error) {
    if (!(error instanceof Error) && !(error instanceof DOMException)) return { thrown: error }
    // The messages of aborts differ from one Node to the next.
    if (error.name === 'AbortError') return { name: error.name }
    const message = error.message.replace(/https?:.*/, 'URL')
    // That of a body that breaks off is an error of undici.
    const hasCause = message !== 'terminated' && error.cause !== undefined
    return { name: error.name, message, hasCause }
  }
}

const clock = '2024-06-15T12:00:00Z'
function prepare(options = {}) {
  const simulator = createSimulator({ clock, ...options })
  addFaults(simulator)
  return simulator
}

function addFaults({ faults }) {
  faults.add({ path: `${annotations}6/`, effect: { drop: true } })
  faults.add({ path: `${annotations}5/`, effect: { cut_bytes: 20 } })
}

const ways = {
  async http(run) {
    const { url, close } = await listen(prepare(), { handlers })
    const result = await resultOf(run, url)
    await close()
    return result
  },
  withSimulator: (run) =>
    withSimulator({ clock }, async ({ simulator }) => {
      addFaults(simulator)
      simulator.use(...handlers)
      return resultOf(run, 'https://app.example.com')
    }),
}

const unlike = []
for (const [name, run] of Object.entries(cases)) {
  const [overHttp, direct] = [await ways.http(run), await ways.withSimulator(run)]
  if (JSON.stringify(overHttp) !== JSON.stringify(direct)) unlike.push({ name, overHttp, direct })
}
console.log(JSON.stringify({ cases: Object.keys(cases).length, unlike }))
process.exit()
