import { userInfo } from 'node:os';
import { dirname, join, sep } from 'node:path';
import type { Config } from '../../config/config.ts';
import { secretsOf } from '../../config/file.ts';

export interface Installation {
  /** Absolute path of Node. */
  node: string;
  /** Absolute path of the program. */
  program: string;
  /** A name or an id. */
  user: string;
  /** Null: the one that the user database gives the user. */
  group: string | null;
}

/** Who runs this process. An id without a name (`docker run --user 4242`) needs its group beside it. */
export function ownUser(read: () => { username: string } = userInfo): Pick<Installation, 'user' | 'group'> {
  try {
    return { user: read().username, group: null };
  } catch (error) {
    const [user, group] = [process.getuid?.(), process.getgid?.()];
    if (user === undefined || group === undefined) throw error;
    return { user: String(user), group: String(group) };
  }
}

/** A systemd unit of `answerlake schedule` for this configuration, with absolute paths. */
export function systemdUnit(config: Config, { node, program, user, group }: Installation): string {
  const { directory, path, warehouse, raw } = config;
  const variables = secretsOf(config).flatMap(({ origin }) =>
    origin.startsWith('env:') ? [origin.slice('env:'.length)] : [],
  );
  const keys = join(directory, 'keys.env');
  const outside = [dirname(warehouse.path), raw.dir].filter(
    (folder) => folder !== directory && !folder.startsWith(directory + sep),
  );
  const environment =
    variables.length === 0
      ? []
      : [
          `# Write ${[...new Set(variables)].map((name) => `${name}=…`).join(' and ')} into it, a line each; mode 0600.`,
          `EnvironmentFile=-${escaped(keys)}`,
        ];
  return [
    '# Save it as /etc/systemd/system/answerlake.service, then: systemctl daemon-reload && systemctl enable --now answerlake',
    '[Unit]',
    'Description=answerlake schedule: AI-answer visibility into DuckDB',
    'Wants=network-online.target',
    'After=network-online.target',
    '',
    '[Service]',
    'Type=exec',
    `User=${user}`,
    ...(group === null ? [] : [`Group=${group}`]),
    'UMask=0027',
    `WorkingDirectory=${escaped(directory)}`,
    ...environment,
    'Environment=NODE_ENV=production',
    `ExecStart=${[node, program, 'schedule', '--config', path].map(quoted).join(' ')}`,
    'ExecReload=/bin/kill -HUP $MAINPID',
    'Restart=on-failure',
    'RestartSec=30',
    '# Another start does not repair a wrong configuration.',
    'RestartPreventExitStatus=2',
    'SuccessExitStatus=129 130 143',
    'TimeoutStopSec=15',
    '',
    'NoNewPrivileges=yes',
    'CapabilityBoundingSet=',
    'ProtectSystem=strict',
    `ReadWritePaths=${[...new Set([directory, ...outside])].map(quoted).join(' ')}`,
    'PrivateTmp=yes',
    'PrivateDevices=yes',
    'ProtectKernelTunables=yes',
    'ProtectKernelModules=yes',
    'ProtectControlGroups=yes',
    'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX',
    'RestrictNamespaces=yes',
    'RestrictSUIDSGID=yes',
    'LockPersonality=yes',
    '',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n');
}

/** systemd reads `%` as a specifier. */
function escaped(text: string): string {
  return text.replaceAll('%', '%%');
}

/** One word of a command line or a list of paths. */
function quoted(text: string): string {
  const word = escaped(text).replaceAll('$', '$$$$');
  return /[\s"'\\;]/.test(word) ? `"${word.replaceAll(/["\\]/g, (one) => `\\${one}`)}"` : word;
}
