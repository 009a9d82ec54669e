const api = process.env.UNDERSTUDY_URL ?? 'https://app.example.com'

export default defineNuxtConfig({
  compatibilityDate: '2026-01-01',
  telemetry: false,
  runtimeConfig: { api },
  vite: { server: { proxy: { '/api': api } } },
})
