# syntax=docker/dockerfile:1

# For another one: docker buildx imagetools inspect node:22-bookworm-slim
ARG NODE_IMAGE=node:22.23.3-bookworm-slim@sha256:c3de60bf2f9dd0ac6370e6117950ff62d6e339527e7472301c9c78a017978392

# Builds the command line.
FROM $NODE_IMAGE AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN node .tools/build.mjs && mkdir data

# Installs the packages that are not bundled into dist, such as those of the factories.
FROM $NODE_IMAGE AS dependencies
WORKDIR /dependencies
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=peer --ignore-scripts --no-audit --no-fund

FROM $NODE_IMAGE
LABEL org.opencontainers.image.title="Understudy" \
  org.opencontainers.image.description="A simulator of the Plugin and Annotation Management API" \
  org.opencontainers.image.licenses="MIT"
WORKDIR /app
COPY --from=dependencies /dependencies/node_modules ./node_modules
COPY --from=build /build/package.json /build/LICENSE.md /build/.tools/health.mjs ./
COPY --from=build /build/src/api/*.json ./src/api/
COPY --from=build /build/src/admin/*.json ./src/admin/
COPY --from=build /build/fixtures ./fixtures
COPY --from=build /build/scenarios ./scenarios
COPY --from=build /build/dist ./dist
# The only folder that the container writes to, for UNDERSTUDY_STATE=/app/data/state.json.
COPY --from=build --chown=1000:1000 /build/data ./data

# Only a server on all addresses can be reached from outside the container. Therefore a token is required.
ENV NODE_ENV=production UNDERSTUDY_HOST=0.0.0.0 UNDERSTUDY_PORT=4010
USER 1000:1000
EXPOSE 4010
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --start-interval=1s --retries=3 \
  CMD ["node", "/app/health.mjs"]
ENTRYPOINT ["node", "/app/dist/understudy.js"]
CMD ["serve"]
