# Assay in a container: `docker build -t assay .`, then `docker run -p 4000:4000 -v assay:/data assay`.
# The first stage builds, the second has what runs and nothing else, and a user without rights.
FROM node:24-bookworm-slim AS build
WORKDIR /app
# The lock file alone first: this layer is made again only when a dependency changes.
COPY package.json package-lock.json .npmrc ./
COPY test/support/anvil test/support/anvil
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# What is published, as package.json lists it.
RUN npm pack && tar -xzf assay-*.tgz && npm ci --omit=dev --ignore-scripts --no-audit --no-fund
# The embedded PostgreSQL wants links between its libraries, which the user who runs it may not make, and npm runs no script for them.
RUN node -e "import('/app/package/dist/database/embedded/binaries.js').then(({ findBinaries }) => findBinaries())"

FROM node:24-bookworm-slim
# glibc otherwise keeps a pool of memory for each thread, which never goes back to the system.
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    HOST=0.0.0.0 \
    PORT=4000 \
    DATA_DIR=/data
WORKDIR /app
COPY --from=build --chown=root:root /app/package ./
COPY --from=build --chown=root:root /app/node_modules node_modules
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4000
# Ready, not only alive: an orchestrator sends no requests before the index can answer them.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node itself gets the signals, so SIGTERM ends it politely: leave it 15 s.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "dist/main.js"]
CMD ["serve"]
