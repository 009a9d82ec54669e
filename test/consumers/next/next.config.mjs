const api = process.env.UNDERSTUDY_URL ?? 'https://app.example.com'

export default {
  // Otherwise Next.js redirects /api/projects/ to /api/projects.
  skipTrailingSlashRedirect: true,
  rewrites: async () => [{ source: '/api/:path*', destination: `${api}/api/:path*` }],
}
