import { type FormEvent, useEffect, useState } from 'react'
import type { Annotation, Page } from 'understudy-api'

const path = '/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }

async function list(): Promise<readonly Annotation[]> {
  const page: Page<Annotation> = await (await fetch(path, { headers })).json()
  return page.results
}

async function send(method: string, url: string, body: object): Promise<void> {
  await fetch(url, { method, headers, body: JSON.stringify(body) })
}

/** The annotations of a project, to add to and to delete from. */
export function Annotations() {
  const [rows, setRows] = useState<readonly Annotation[]>([])
  useEffect(() => {
    list().then(setRows)
  }, [])

  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    await send('POST', path, { content: new FormData(event.currentTarget).get('content') })
    setRows(await list())
  }
  const remove = async (id: number) => {
    await send('PATCH', `${path}${id}/`, { deleted: true })
    setRows(await list())
  }

  return (
    <>
      <form onSubmit={add}>
        <label>
          Content <input name="content" />
        </label>
        <button type="submit">Add</button>
      </form>
      <ul>
        {rows.map(({ id, content }) => (
          <li key={id}>
            <span>{content}</span>
            <button type="button" onClick={() => remove(id)}>
              Delete
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
