import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [sveltekit({ adapter: adapter(), paths: { base: '/shop' } })],
  server: { proxy: { '/api': process.env.UNDERSTUDY_URL ?? 'https://app.example.com' } },
})
