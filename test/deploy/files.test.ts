import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { packageRoot } from '../../src/kernel/program/packageRoot.ts';
import { loadConfig } from '../../src/config.ts';
import { deployed } from './support/deployed.ts';

const dir = mkdtempSync(join(tmpdir(), 'stayd-deploy-'));
after(() => rmSync(dir, { recursive: true }));

const textOf = (file: string) => readFileSync(deployed(file), 'utf8');

/** Secrets, in the place of the files that the deployment mounts. */
const SECRETS: Record<string, string> = {
  'database-url': 'postgres://stayd:secret@postgres:5432/stayd',
  'stayd-key': 'ab'.repeat(32),
  'secret-key': 'ab'.repeat(32),
  'upstream-token': 'token',
};

/** What stayd makes of these variables, with the secrets where they point. @throws UsageError as a start would */
function configOf(environment: Record<string, string>) {
  const entries = Object.entries(environment).map(([name, value]) => {
    if (!name.endsWith('_FILE')) return [name, value.replaceAll(/\$\{STAYD_NAME[^}]*\}/g, 'rooms.example')];
    const secret = value.split('/').at(-1) ?? '';
    assert.ok(secret in SECRETS, `${name}: ${value}`);
    writeFileSync(join(dir, secret), SECRETS[secret] ?? '');
    return [name, join(dir, secret)];
  });
  return loadConfig(Object.fromEntries(entries));
}

describe('deploy/compose.yaml', () => {
  const compose = parse(textOf('compose.yaml'));

  it('gives stayd settings that it takes, and secrets by files that are mounted', () => {
    const { environment, secrets } = compose.services.stayd;
    const config = configOf(environment);
    assert.equal(config.public_url, 'https://rooms.example');
    assert.equal(config.database_url, SECRETS['database-url']);
    assert.equal(config.secret_key, SECRETS['stayd-key']);
    for (const [name, value] of Object.entries<string>(environment)) {
      if (name.endsWith('_FILE')) assert.ok(secrets.includes(value.replace('/run/secrets/', '')), value);
    }
  });

  it('trusts the proxy alone, by the address that it has', () => {
    const { ipv4_address: address } = compose.services.caddy.networks.inside;
    assert.equal(compose.services.stayd.environment.STAYD_TRUSTED_PROXIES, address);
    assert.ok(compose.networks.inside.ipam.config[0].subnet.startsWith(address.slice(0, address.lastIndexOf('.'))));
  });

  it('names nothing that is not there: secrets, volumes, networks, services, files', () => {
    for (const [name, service] of Object.entries<any>(compose.services)) {
      for (const secret of service.secrets ?? []) assert.ok(compose.secrets[secret], `${name}: ${secret}`);
      for (const other of Object.keys(service.depends_on ?? {})) {
        const wanted = Array.isArray(service.depends_on) ? service.depends_on[Number(other)] : other;
        assert.ok(compose.services[wanted], `${name}: ${wanted}`);
      }
      for (const mounted of service.volumes ?? []) {
        const [source = ''] = mounted.split(':');
        assert.ok(source.startsWith('./') ? existsSync(deployed(source)) : source in compose.volumes, mounted);
      }
    }
  });

  it('opens the ports of the proxy alone', () => {
    const open = Object.entries<any>(compose.services).filter(([, { ports }]) => ports !== undefined);
    assert.deepEqual(
      open.map(([name]) => name),
      ['caddy'],
    );
  });
});

for (const file of ['kubernetes/stayd.yaml', 'kubernetes/mirror.yaml']) {
  describe(`deploy/${file}`, () => {
    const manifests = parseAllDocuments(textOf(file)).map((document) => {
      assert.deepEqual(document.errors, []);
      return document.toJS();
    });
    const ofKind = (kind: string) => manifests.filter((one) => one.kind === kind);
    const deployments = ofKind('Deployment');

    it('gives stayd settings that it takes', () => {
      const [{ data }] = ofKind('ConfigMap');
      for (const { spec } of deployments) {
        const [container] = spec.template.spec.containers;
        const own = (container.env ?? []).map((one: { name: string; value: string }) => [one.name, one.value]);
        const config = configOf({ ...data, ...Object.fromEntries(own) });
        assert.equal(config.database_url, SECRETS['database-url']);
        assert.equal(config.host, '0.0.0.0');
      }
    });

    it('selects the pods that it makes', () => {
      const pods = deployments.map(({ spec }) => spec.template.metadata.labels);
      const isSome = (selector: Record<string, string>) =>
        pods.some((labels) => Object.entries(selector).every(([key, value]) => labels[key] === value));
      for (const { spec } of deployments) assert.deepEqual(spec.selector.matchLabels, spec.template.metadata.labels);
      for (const { spec } of ofKind('Service')) assert.ok(isSome(spec.selector));
      for (const { spec } of ofKind('PodDisruptionBudget')) assert.ok(isSome(spec.selector.matchLabels));
      for (const { spec } of ofKind('NetworkPolicy')) assert.ok(isSome(spec.podSelector.matchLabels));
    });

    it('lets a node be emptied: no budget forbids the only pod', () => {
      for (const { spec } of ofKind('PodDisruptionBudget')) {
        const { part } = spec.selector.matchLabels;
        const { replicas } = deployments.find((one) => one.spec.selector.matchLabels.part === part)?.spec ?? {};
        assert.ok(spec.maxUnavailable > 0 || spec.minAvailable < replicas, part);
      }
    });

    it('leads from outside to a port that a container has', () => {
      const ports = deployments.flatMap(({ spec }) => spec.template.spec.containers[0].ports);
      for (const { spec } of ofKind('Service')) {
        for (const { targetPort } of spec.ports)
          assert.ok(ports.some(({ name }: { name: string }) => name === targetPort));
      }
      const services = ofKind('Service').map(({ metadata }) => metadata.name);
      for (const { spec } of ofKind('Ingress')) {
        for (const { http } of spec.rules) {
          for (const { backend } of http.paths) assert.ok(services.includes(backend.service.name));
        }
      }
    });

    it('runs as nobody in particular on a file system that is read-only, and probes by a program of the image', () => {
      for (const { spec } of deployments) {
        const { containers, securityContext, volumes } = spec.template.spec;
        assert.equal(securityContext.runAsNonRoot, true);
        for (const { securityContext: own, startupProbe, livenessProbe, readinessProbe, volumeMounts } of containers) {
          assert.deepEqual([own.readOnlyRootFilesystem, own.allowPrivilegeEscalation], [true, false]);
          for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
            assert.ok(existsSync(join(packageRoot(), probe.exec.command[1])), probe.exec.command.join(' '));
          }
          const known = volumes.map(({ name }: { name: string }) => name);
          for (const { name } of volumeMounts) assert.ok(known.includes(name), name);
        }
      }
    });
  });
}

describe('deploy/patroni.yaml and deploy/haproxy-postgres.cfg', () => {
  const patroni = parse(textOf('patroni.yaml'));

  it('let no machine acknowledge alone, and replace a primary within half a minute', () => {
    const { ttl, loop_wait, retry_timeout, synchronous_mode, synchronous_mode_strict } = patroni.bootstrap.dcs;
    assert.deepEqual([synchronous_mode, synchronous_mode_strict], [true, true]);
    assert.ok(ttl <= 20 && loop_wait + 2 * retry_timeout <= ttl, 'what Patroni asks of the three');
  });

  it('speak of the same machines and ports', () => {
    const servers = [...textOf('haproxy-postgres.cfg').matchAll(/server \w+ (\S+):5432 check port 8008/g)];
    const members = patroni.etcd3.hosts.split(',').map((host: string) => host.split(':')[0]);
    assert.deepEqual(
      servers.map(([, address]) => address),
      members,
    );
    assert.equal(patroni.postgresql.listen, `${members[0]}:5432`);
    assert.equal(patroni.restapi.listen, `${members[0]}:8008`);
  });
});
