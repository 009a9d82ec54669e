// The only file that imports the SDK of the Model Context Protocol. The build bundles it into this one file.
export {
  createMcpHandler,
  deserializeMessage,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
