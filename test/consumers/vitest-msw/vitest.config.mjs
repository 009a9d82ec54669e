export default { test: { setupFiles: ['server.mjs'] } }
