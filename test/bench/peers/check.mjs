// Whether a server answers rightly. A server that answers wrongly gets no number.
/** Sends requests to a server as its table entry says, all within eight seconds. */
export function createClient(url, { all, one, page, edit = 'PATCH', rows, count }) {
  const signal = AbortSignal.timeout(8_000)
  const send = async (method, path, body, headers = { authorization: 'Bearer phx_all' }) => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
      signal,
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}`)
    return { headers: response.headers, body: JSON.parse(text) }
  }
  const path = (id) => one.replace('{id}', id)
  return {
    get: async (id) => (await send('GET', path(id))).body,
    getWithoutKey: (id) => send('GET', path(id), undefined, {}),
    patch: async (id, changes) => (await send(edit, path(id), changes)).body,
    create: async (row) => (await send('POST', all, row)).body,
    async page(offset) {
      const place = page
        .replace('{offset}', offset)
        .replace('{page}', offset / 100 + 1)
        .replace('{index}', offset / 100)
      const response = await send('GET', place)
      return { rows: rows(response), count: count?.(response) }
    },
  }
}

/**
 * What is wrong with the answers of a server, by operation; undefined where they are right.
 * @param client see `createClient`
 * @param expected `rows` in the order of the list, if nothing was written yet; otherwise `least` and `most`, how many
 * there are now; `row`, which is sent to create one; `clients`, how many write at once; `ids`, the highest
 * id at the start; `hasKeys`, and `hasGet`: if a get
 * shows each row
 */
export async function findWrongAnswers(client, expected) {
  const wrong = {
    list: await problemOf(() => checkPage(client, 0, expected)),
    pages: await problemOf(() => checkPages(client, expected)),
    get: await problemOf(() => checkRows(client, expected)),
  }
  const missing = expected.rows ? undefined : await problemOf(() => checkCount(client, expected))
  const lost = await findLostWrites(client, expected)
  return { ...wrong, patch: lost.patch, create: missing ?? lost.create }
}

async function problemOf(check) {
  try {
    await check()
  } catch (error) {
    return error.name === 'TimeoutError' ? 'its check takes more than 8 s' : error.message
  }
}

async function checkPages(client, expected) {
  const last = Math.floor(expected.least / 100) - 1
  for (const page of [1, Math.floor(last / 2), last]) await checkPage(client, page * 100, expected)
}

/** A hundred different rows: those that are expected, or else each as a get shows it. */
async function checkPage(client, offset, { rows, hasGet }) {
  const page = await client.page(offset)
  const ids = page.rows.map(({ id }) => String(id))
  const where = `the page at ${offset}`
  if (new Set(ids).size !== 100) throw new Error(`${where} has ${new Set(ids).size} rows`)
  if (rows && !isSame(page.rows, rows.slice(offset, offset + 100))) {
    throw new Error(`${where} has other rows`)
  }
  if (rows && page.count !== undefined && page.count !== rows.length) {
    throw new Error(`${where} counts ${page.count} rows, expected ${rows.length}`)
  }
  for (const index of hasGet && !rows ? [0, 50, 99] : []) {
    if (!isSame(await client.get(ids[index]), page.rows[index])) {
      throw new Error(`${where} differs from a get of row ${ids[index]}`)
    }
  }
}

async function checkCount(client, { least, most }) {
  const { count = least } = await client.page(0)
  if (count < least) throw new Error(`${least - count} of the created rows are lost`)
  if (count > most) throw new Error(`${count - most} rows too many`)
}

async function checkRows(client, { rows, hasKeys }) {
  const wanted = rows ? [rows[0], rows[rows.length >> 1], rows.at(-1)] : []
  for (const row of wanted) {
    if (!isSame(await client.get(row.id), row))
      throw new Error(`a get of row ${row.id} has other content`)
  }
  const status = hasKeys && (await problemOf(() => client.getWithoutKey(1)))
  if (hasKeys && !status?.endsWith(' 401')) throw new Error('a request without a key is answered')
}

/** Clients that patch and create at once. Every write is in its response, in the next get, and there at the end. */
async function findLostWrites(client, { row, clients, ids }) {
  const tag = Math.random().toString(36).slice(2)
  const writeOf = async (what, run, content) => {
    const write = { what, content }
    write.problem = await problemOf(async () => {
      const written = await run()
      write.id = written.id
      if (written.content !== content) throw new Error('the response of a write has other content')
    })
    return { ...write, problem: write.problem ?? (await lost(client, write)) }
  }
  const writes = await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const id = Math.floor((index * ids) / clients) + 1
      const [changed, created] = [`changed ${tag} ${index}`, `created ${tag} ${index}`]
      return [
        await writeOf('patch', () => client.patch(id, { content: changed }), changed),
        await writeOf('create', () => client.create({ ...row, content: created }), created),
      ]
    }),
  )
  const all = writes.flat()
  const losses = await Promise.all(all.map((write) => write.problem ?? lost(client, write)))
  const problemOfAll = (what) => losses.find((loss, index) => loss && all[index].what === what)
  return { patch: problemOfAll('patch'), create: problemOfAll('create') }
}

async function lost(client, { id, content }) {
  return problemOf(async () => {
    if ((await client.get(id)).content !== content) throw new Error('a write is lost')
  })
}

/** Equal as JSON, whatever the order of fields. Some servers turn ids into text. */
export function isSame(a, b) {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, sorted(inner)])
  const fields = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  return 'id' in fields ? { ...fields, id: String(fields.id) } : fields
}
