import { defineConfig } from 'orval'

export default defineConfig({
  api: {
    input: 'openapi.json',
    output: {
      target: `${process.env.OUTPUT}/orval.ts`,
      client: 'fetch',
      baseUrl: 'https://app.example.com',
    },
  },
})
