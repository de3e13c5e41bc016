// Preloaded into the program, plays five MCP23017 on /dev/i2c-1. The file named by I2C_SIM is shared
// with the test: 32 registers a chip, the levels of the pins at 0x12 and 0x13; at 160 a bit for each
// chip that is missing, at 161 whether the bus is stuck.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { CHIPS = 5, SIZE = 162, IODIR = 0x00, GPPU = 0x0c, GPIO = 0x12, OLAT = 0x14 };
static unsigned char *sim;
static int sim_fd = -1;
static unsigned address;

static int is_bus(const char *path) {
    return path && !strcmp(path, "/dev/i2c-1") && getenv("I2C_SIM");
}

static int open_bus(int (*real)(const char *, int, ...)) {
    int fd = real(getenv("I2C_SIM"), O_RDWR | O_CLOEXEC);
    if (fd < 0) return fd;
    sim = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    sim_fd = fd;
    return fd;
}

int open64(const char *path, int flags, ...) {
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open64");
    va_list args;
    va_start(args, flags);
    int mode = va_arg(args, int);
    va_end(args);
    return is_bus(path) ? open_bus(real) : real(path, flags, mode);
}

int open(const char *path, int flags, ...) {
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    va_list args;
    va_start(args, flags);
    int mode = va_arg(args, int);
    va_end(args);
    return is_bus(path) ? open_bus(real) : real(path, flags, mode);
}

// Open reeds without pull-ups read low, outputs too.
static unsigned char get(unsigned char *chip, unsigned reg) {
    if (reg != GPIO && reg != GPIO + 1) return chip[reg & 31];
    unsigned port = reg - GPIO;
    return chip[reg] & chip[GPPU + port] & chip[IODIR + port];
}

static void put(unsigned char *chip, unsigned reg, unsigned char value) {
    chip[(reg == GPIO || reg == GPIO + 1 ? reg + OLAT - GPIO : reg) & 31] = value;
}

static int smbus(struct i2c_smbus_ioctl_data *call) {
    if (sim[161]) {
        usleep(20000);
        errno = ETIMEDOUT;
        return -1;
    }
    unsigned n = address - 0x20;
    if (n >= CHIPS || sim[160] >> n & 1) {
        errno = EREMOTEIO;
        return -1;
    }
    unsigned char *chip = sim + n * 32;
    if (call->size != I2C_SMBUS_I2C_BLOCK_DATA) {
        errno = EOPNOTSUPP;
        return -1;
    }
    for (unsigned k = 0; k < call->data->block[0]; k++) {
        if (call->read_write == I2C_SMBUS_READ) call->data->block[1 + k] = get(chip, call->command + k);
        else put(chip, call->command + k, call->data->block[1 + k]);
    }
    return 0;
}

int ioctl(int fd, unsigned long request, ...) {
    int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
    va_list args;
    va_start(args, request);
    void *arg = va_arg(args, void *);
    va_end(args);
    if (fd < 0 || fd != sim_fd) return real(fd, request, arg);
    switch ((unsigned)request) {
    case I2C_FUNCS: *(unsigned long *)arg = I2C_FUNC_SMBUS_EMUL | I2C_FUNC_SMBUS_I2C_BLOCK; return 0;
    case I2C_SLAVE: case I2C_SLAVE_FORCE: address = (unsigned long)arg; return 0;
    case I2C_TENBIT: case I2C_PEC: case I2C_TIMEOUT: return 0;
    case I2C_SMBUS: return smbus(arg);
    }
    errno = EOPNOTSUPP;
    return -1;
}
