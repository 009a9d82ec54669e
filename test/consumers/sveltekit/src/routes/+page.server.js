const annotations = `${process.env.UNDERSTUDY_URL}/api/projects/1/annotations/`

export async function load({ cookies }) {
  const key = cookies.get('key')
  const response = await fetch(annotations, { headers: { authorization: `Bearer ${key}` } })
  return { rows: (await response.json()).results, key }
}

export const actions = {
  async default({ cookies }) {
    const authorization = `Bearer ${cookies.get('key')}`
    const headers = { authorization, 'content-type': 'application/json' }
    await fetch(annotations, { method: 'POST', headers, body: '{"content":"Launch"}' })
  },
}
