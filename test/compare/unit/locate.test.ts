import { expect, test } from 'vitest'
import { locate } from '../../../src/compare/locate.ts'
import { ProbeSender } from '../../../src/compare/sender.ts'

const page = (...results: object[]) => Response.json({ count: results.length, results })
const annotations = (project: string) => `/api/projects/${project}/annotations/?limit=1`

/** Locates the rows of a server with these answers by path. It has no other path. */
async function locateIn(answers: Readonly<Record<string, Response>>, options: object = {}) {
  const sender = new ProbeSender({
    ...{ rate: 1_000, maxRequests: 50, wait: async () => {} },
    async send(url, init) {
      const key = new Headers(init.headers).get('authorization')?.replace('Bearer ', '')
      const path = url.replace('http://a.test', '')
      return (
        answers[`${key} ${path}`] ??
        answers[path] ??
        new Response('', { status: 404 })
      ).clone()
    },
  })
  const keys = ['k1', 'k2'].map((value) => ({ label: value, value, scopes: ['*'] }))
  const { ids, ...located } = await locate(
    { url: 'http://a.test//', keys, marker: 'm', ...options },
    sender,
  )
  const { project, org, other, missing } = ids
  return { ...located, ids: [project, org, other, missing] }
}

const projects = page({ id: 1, organization: 'o1' }, { id: 2, organization: 'o2' })

test.each([
  [{}, '1', ['1', 'o1', 'o2', '99999999']],
  [{ project: '2' }, '2', ['2', 'o2', 'o1', '99999999']],
  [{ project: '2', organization: 'o9' }, '2', ['2', 'o9', 'o1', '99999999']],
])('with the options %j the project is %s', async (options, project, ids) => {
  const answers = { '/api/projects/?limit=100': projects, [annotations(project)]: page({ id: 5 }) }

  expect(await locateIn(answers, options)).toMatchObject({
    ids,
    control: { key: 'k1' },
  })
})

test('a key that cannot read is passed over', async () => {
  const answers = {
    'k1 /api/projects/?limit=100': new Response('', { status: 403 }),
    'k2 /api/projects/?limit=100': projects,
    [`k1 ${annotations('1')}`]: new Response('', { status: 403 }),
    [`k2 ${annotations('1')}`]: page({ id: 5 }),
  }

  expect(await locateIn(answers)).toMatchObject({
    ids: ['1', 'o1', 'o2', '99999999'],
    control: { key: 'k2' },
  })
})

test('where no key reads the projects, the options name the rows', async () => {
  const options = { project: '7', organization: 'o9' }
  const { ids } = await locateIn({ [annotations('7')]: page({ id: 5 }) }, options)

  expect(ids).toEqual(['7', 'o9', null, '99999999'])
})
