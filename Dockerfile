# The service on a SQLite file in /data; with MATCHLEDGER_DATABASE=postgresql://… on a server. docs/operations.md tells more.
FROM python:3.11-slim AS build
WORKDIR /source
RUN python -m venv /opt/matchledger
COPY . .
RUN /opt/matchledger/bin/pip install --no-cache-dir --constraint constraints.txt .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --home-dir /data --create-home matchledger \
    && install --directory --owner=matchledger --group=matchledger --mode=700 /data/keys
COPY --from=build /opt/matchledger /opt/matchledger
ENV PATH=/opt/matchledger/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    MATCHLEDGER_DATABASE=/data/ledger.db \
    MATCHLEDGER_KEYS=/data/keys \
    MATCHLEDGER_PORT=8080
USER matchledger
WORKDIR /data
VOLUME /data
EXPOSE 8080
# Whether the process answers, not whether the database does: nothing is gained by restarting this one when that one is away.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import os, urllib.request as web; web.urlopen('http://127.0.0.1:' + os.environ['MATCHLEDGER_PORT'] + '/healthz', timeout=4)"]
ENTRYPOINT ["matchledger"]
CMD ["serve", "--host", "0.0.0.0"]
