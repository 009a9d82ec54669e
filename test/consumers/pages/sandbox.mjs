import { test as base } from '@playwright/test'
import { connect } from 'understudy-api'

export const test = base.extend({
  sandbox: async ({ context, baseURL }, use, { title }) => {
    const { sandboxes } = connect(process.env.UNDERSTUDY_URL)
    const { id, key, remote } = await sandboxes.create({ name: title, ttl_s: 600 })
    await context.addCookies([{ name: 'key', value: key, url: baseURL }])
    await use(remote)
    await sandboxes.delete(id)
  },
})
