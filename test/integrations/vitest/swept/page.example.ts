import { expect, vi } from 'vitest'
import { test } from '../../../../src/vitest.ts'

// What a simulated browser has of its page.
const body = {
  childNodes: ['header'],
  append: (node: string) => void body.childNodes.push(node),
  replaceChildren(...nodes: string[]) {
    this.childNodes = nodes
  },
}
vi.stubGlobal('document', { body })

test('renders the projects', async ({ as }) => {
  const response = await as('all').fetch('/api/projects/')
  body.append(`${response.status}`)

  expect(body.childNodes).toEqual(['header', '200'])
})
