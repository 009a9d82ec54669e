import { revalidatePath } from 'next/cache'
import { cookies } from 'next/headers'
import { Count } from './count'

const annotations = `${process.env.UNDERSTUDY_URL}/api/projects/1/annotations/`

const readKey = async () => (await cookies()).get('key')?.value

async function add() {
  'use server'
  const authorization = `Bearer ${await readKey()}`
  const headers = { authorization, 'content-type': 'application/json' }
  await fetch(annotations, { method: 'POST', headers, body: '{"content":"Launch"}' })
  revalidatePath('/')
}

export default async function Page() {
  const key = await readKey()
  const headers = { authorization: `Bearer ${key}` }
  const { results } = await (await fetch(annotations, { headers, cache: 'no-store' })).json()
  return (
    <main>
      <ul>
        {results.map(({ id, content }) => (
          <li key={id}>{content}</li>
        ))}
      </ul>
      <form action={add}>
        <button type="submit">Add</button>
      </form>
      <Count token={key} />
    </main>
  )
}
