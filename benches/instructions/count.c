/* Counts the instructions that an emulated process executes: a plugin for qemu-user.
 *
 * QEMU 7.2 (Debian 12) calls these functions and has no header in its packages.
 * Source: QEMU's documentation, "QEMU TCG Plugins", API version 1. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct info info;
typedef struct block block;

extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*)(uint64_t, block *));
extern size_t qemu_plugin_tb_n_insns(const block *);
/* The second argument, 0: add the last one. */
extern void qemu_plugin_register_vcpu_tb_exec_inline(block *, int, void *, uint64_t);
extern void qemu_plugin_register_atexit_cb(uint64_t id, void (*)(uint64_t, void *), void *);

#define SEEN __attribute__((visibility("default")))

SEEN int qemu_plugin_version = 1;

static uint64_t executed;
static char file[4096];

static void translated(uint64_t id, block *b) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(b, 0, &executed, qemu_plugin_tb_n_insns(b));
}

static void ended(uint64_t id, void *nothing) {
  (void)id, (void)nothing;
  FILE *to = fopen(file, "w");
  if (!to) return;
  fprintf(to, "totals: %" PRIu64 "\n", executed);
  fclose(to);
}

SEEN int qemu_plugin_install(uint64_t id, const info *i, int argc, char **argv) {
  (void)i;
  if (argc != 1 || strncmp(argv[0], "out=", 4)) {
    fprintf(stderr, "count: say where the count goes: out=FILE\n");
    return 1;
  }
  snprintf(file, sizeof file, "%s", argv[0] + 4);
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, ended, NULL);
  return 0;
}
