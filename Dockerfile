# Built with everything that compiles a native module; run with none of it.
FROM node:24-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts ./scripts
RUN node scripts/launch.mjs --install-only
COPY tsconfig.json ./
COPY src ./src
COPY migrations ./migrations
RUN node scripts/launch.mjs --build-only && npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="stayd" \
      org.opencontainers.image.description="A rental-management service and the daemon that mirrors it"
ENV NODE_ENV=production
WORKDIR /app
COPY package.json stayd ./
COPY scripts ./scripts
COPY config ./config
COPY docs ./docs
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data

# The databases and keys. Whatever is mounted here must belong to the user `node` (1000). Nothing else is written to, so
# that the root file system may be read-only, but for /tmp.
ENV STAYD_DATA_DIR=/data
VOLUME /data
USER node
EXPOSE 8484

# stayd listens on 127.0.0.1 of the container until told otherwise, and answers plain HTTP to nobody else.
# To be reached from outside it needs STAYD_HOST=0.0.0.0 and one of the two:
#   STAYD_TLS_CERT and STAYD_TLS_KEY   PEM files, mounted
#   STAYD_TRUSTED_PROXIES              addresses of the proxy in front that ends TLS
# Without either it refuses, and says so.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD ["node", "scripts/healthcheck.mjs"]

ENTRYPOINT ["node", "scripts/launch.mjs"]
CMD ["start"]
