import express, { type Express } from 'express'
import { expect } from 'vitest'
import type { Client } from './support/client.ts'
import { middleware, serve } from './support/mount.ts'
import { overHttp } from './support/start.ts'

const list = '/api/projects/1/annotations/'
const query = '?limit=2&offset=2'
const forwarded = {
  'x-forwarded-host': 'api.example.com',
  'x-forwarded-proto': 'https',
}

overHttp(
  'behind a trusted proxy links have the host and protocol it forwards (over HTTP only) [§3:links]',
  async () => {
    const { mock } = middleware()
    const client = await serve(trusting(true).use(mock))

    expect(await nextOf(client, list, forwarded)).toBe(`https://api.example.com${list}${query}`)
  },
)

overHttp('a mount path is kept behind a trusted proxy (over HTTP only) [§3:links]', async () => {
  const { mock } = middleware()
  const client = await serve(trusting('loopback').use('/mock', mock))

  expect(await nextOf(client, `/mock${list}`, { ...forwarded, 'x-forwarded-host': 'h:8443' })).toBe(
    `https://h:8443/mock${list}${query}`,
  )
})

overHttp(
  'what is forwarded by whom nobody trusts is ignored (over HTTP only) [§3:links]',
  async () => {
    const { mock } = middleware()
    const [untrusted, other] = [
      await serve(express().use(mock)),
      await serve(trusting('10.0.0.1').use(mock)),
    ]

    expect(await nextOf(untrusted, list, forwarded)).toBe(`${untrusted.origin}${list}${query}`)
    expect(await nextOf(other, list, forwarded)).toBe(`${other.origin}${list}${query}`)
  },
)

overHttp(
  'a forwarded host that no URL can have is not put into a link (over HTTP only) [§3:links]',
  async () => {
    const { mock } = middleware()
    const client = await serve(trusting(true).use(mock))

    for (const host of ['evil.test/path?', 'a b', '"><script>'])
      expect(await nextOf(client, list, { 'x-forwarded-host': host })).toBe(
        `http://localhost${list}${query}`,
      )
  },
)

function trusting(proxies: boolean | string): Express {
  return express().set('trust proxy', proxies)
}

async function nextOf(
  client: Client,
  path: string,
  headers: Record<string, string>,
): Promise<unknown> {
  const { body } = await client.ask('GET', `${path}?limit=2`, { headers })
  return (body as { next: unknown }).next
}
