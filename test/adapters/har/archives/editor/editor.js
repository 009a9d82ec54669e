// What somebody does who edits annotations: the API is on another origin than the page, so that browsers ask first.
globalThis.edit = async (api) => {
  const list = `${api}/api/projects/1/annotations/`
  const ask = async (method, url, body) => {
    const headers = { authorization: 'Bearer phx_all' }
    if (body) headers['content-type'] = 'application/json'
    const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) })
    return JSON.parse((await response.text()) || 'null')
  }

  await ask('GET', `${list}?limit=2`)
  const { id } = await ask('POST', list, {
    content: 'Launch 🦔',
    date_marker: '2024-06-20T09:00:00Z',
  })
  await ask('PATCH', `${list}${id}/`, { content: 'Launch day' })
  await ask('GET', `${list}${id}/`)
  await ask('DELETE', `${list}${id}/`)
  await ask('PATCH', `${list}${id}/`, { deleted: true })
  await ask('GET', `${list}${id}/`)
  await ask('GET', `${list}?search=launch%20day`)

  const live = new WebSocket(`${api.replace('http', 'ws')}/live`)
  await new Promise((resolve) => live.addEventListener('close', resolve))
}
