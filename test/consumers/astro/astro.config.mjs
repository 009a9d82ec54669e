import react from '@astrojs/react'
import { defineConfig } from 'astro/config'

export default defineConfig({
  base: '/docs/',
  devToolbar: { enabled: false },
  integrations: [react()],
  vite: { server: { proxy: { '/api': process.env.UNDERSTUDY_URL ?? 'https://app.example.com' } } },
})
