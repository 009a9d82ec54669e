import { useEffect, useState } from 'react'
import { Form } from 'react-router'

const path = '/api/projects/1/annotations/'
const url = `${import.meta.env.SSR ? process.env.UNDERSTUDY_URL : ''}${path}`

/** The key of the user, which the server passes on. */
const headersOf = (cookies) => ({
  authorization: `Bearer ${/\bkey=([^;]+)/.exec(cookies ?? '')?.[1] ?? 'phx_all'}`,
  'content-type': 'application/json',
})

export async function loader({ request }) {
  const headers = headersOf(request.headers.get('cookie'))
  const { results = [], detail = null } = await (await fetch(url, { headers })).json()
  return { results, detail }
}

export async function action({ request }) {
  const headers = headersOf(request.headers.get('cookie'))
  await fetch(url, { method: 'POST', headers, body: '{"content":"Launch"}' })
  return null
}

export default function Page({ loaderData: { results, detail } }) {
  const [count, setCount] = useState(null)
  useEffect(() => {
    fetch(url, { headers: headersOf(document.cookie) })
      .then((response) => response.json())
      .then((page) => setCount(page.count))
  }, [])
  return (
    <main>
      <p role="alert">{detail}</p>
      <ul>
        {results.map(({ id, content }) => (
          <li key={id}>{content}</li>
        ))}
      </ul>
      <Form method="post">
        <button type="submit">Add</button>
      </Form>
      {count !== null && <p role="status">The page counts {count}.</p>}
    </main>
  )
}
