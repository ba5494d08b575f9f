"""The one table of names that old programs use and newer packages have removed.

A row: the package and version without it, and where the value is found now. Rows of NumPy 2 do
nothing on NumPy 1, for a row is only looked at when the name is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Removed(NamedTuple):
    """A name that is gone: `module.name`, or `module` itself if `name` is empty."""

    module: str
    name: str
    since: str  # 'NumPy 1.24'
    source: str  # dotted path of the value; '+f' is `f` of stand_ins.py
    advice: str  # what to write instead

    @property
    def full_name(self) -> str:
        """What the program asked for."""
        return f"{self.module}.{self.name}" if self.name else self.module


def _same(target: str, names: str) -> dict[str, str]:
    """Names that only moved."""
    return {name: f"{target}.{name}" for name in names.split()}


def _own(advice: dict[str, str]) -> dict[str, str]:
    """Names for which stand_ins.py has a function of that name."""
    return {name: f"+{name} {text}" for name, text in advice.items()}


_ABCS = (
    "AsyncGenerator AsyncIterable AsyncIterator Awaitable ByteString Callable Collection Container "
    "Coroutine Generator Hashable ItemsView Iterable Iterator KeysView Mapping MappingView "
    "MutableMapping MutableSequence MutableSet Reversible Sequence Set Sized ValuesView"
)
_WINDOWS = (
    "barthann bartlett blackman blackmanharris bohman boxcar chebwin cosine exponential flattop "
    "gaussian general_gaussian hamming hann kaiser nuttall parzen triang tukey"
)
# Modules of numpy.lib and of scikit-learn whose names are found one level up.
_LIB = "arraypad arraysetops function_base index_tricks nanfunctions polynomial shape_base "
_LIB += "twodim_base type_check ufunclike"
_SKLEARN = (
    "cluster.k_means_ cluster.hierarchical decomposition.pca ensemble.forest ensemble.bagging "
    "ensemble.gradient_boosting ensemble.weight_boosting linear_model.base linear_model.logistic "
    "linear_model.ridge linear_model.stochastic_gradient manifold.t_sne metrics.ranking "
    "metrics.regression mixture.gaussian_mixture neighbors.base "
    "neighbors.classification neighbors.unsupervised preprocessing.data preprocessing.label "
    "svm.classes tree.tree"
)
_FINANCIAL = "fv ipmt irr mirr nper npv pmt ppmt pv rate"

# (module, since, {name: dotted path, or '+stand_in advice'})
_NAMES: tuple[tuple[str, str, dict[str, str]], ...] = (
    (
        "numpy",
        "NumPy 1.24",
        _same("builtins", "bool complex float int object str")
        | {"long": "builtins.int", "unicode": "builtins.str", "MachAr": "numpy.finfo"},
    ),
    ("numpy", "NumPy 1.18", {"rank": "numpy.ndim"}),
    ("numpy", "NumPy 1.20", _same("numpy_financial", _FINANCIAL)),
    (
        "numpy",
        "NumPy 1.23",
        {"loads": "pickle.loads", "typeDict": "numpy.sctypeDict"}
        | _own({"asscalar": "a.item()", "alen": "len(a)"})
        | {"ndfromtxt": "numpy.genfromtxt", "mafromtxt": "+mafromtxt np.genfromtxt(usemask=True)"},
    ),
    (
        "numpy",
        "NumPy 2.0",
        {"Inf": "numpy.inf", "Infinity": "numpy.inf", "infty": "numpy.inf", "PINF": "numpy.inf"}
        | {"NaN": "numpy.nan", "NAN": "numpy.nan", "float_": "numpy.float64"}
        | {"NINF": "+NINF -np.inf", "PZERO": "+PZERO 0.0", "NZERO": "+NZERO -0.0"}
        | {"complex_": "numpy.complex128", "cfloat": "numpy.complex128"}
        | {"singlecomplex": "numpy.complex64", "string_": "numpy.bytes_", "unicode_": "numpy.str_"}
        | {"longfloat": "numpy.longdouble", "longcomplex": "numpy.clongdouble"}
        | {"clongfloat": "numpy.clongdouble", "mat": "numpy.asmatrix", "round_": "numpy.round"}
        | {"product": "numpy.prod", "cumproduct": "numpy.cumprod", "sometrue": "numpy.any"}
        | {"alltrue": "numpy.all", "in1d": "+in1d np.isin", "trapz": "numpy.trapezoid"}
        | {"bool8": "numpy.bool_", "int0": "numpy.intp", "uint0": "numpy.uintp"}
        | {"str0": "numpy.str_", "bytes0": "numpy.bytes_", "object0": "numpy.object_"}
        | {"void0": "numpy.void", "row_stack": "numpy.vstack"}
        | {"math": "math", "sys": "sys", "warnings": "warnings"}
        | {"safe_eval": "ast.literal_eval", "byte_bounds": "numpy.lib.array_utils.byte_bounds"}
        | {"compare_chararrays": "numpy.char.compare_chararrays"}
        | {"format_parser": "numpy.rec.format_parser", "DataSource": "numpy.lib.npyio.DataSource"}
        | {"add_docstring": "numpy.lib.add_docstring", "add_newdoc": "numpy.lib.add_newdoc"}
        | _same(
            "numpy.exceptions",
            "AxisError ComplexWarning ModuleDeprecationWarning RankWarning TooHardError "
            "VisibleDeprecationWarning",
        )
        | {"compat": "+compat() Python 3's own types", "sctypes": "+sctypes() a list of your own"}
        | _own(
            {
                "asfarray": "np.asarray(a, dtype=float)",
                "cast": "np.asarray(a, dtype)",
                "deprecate": "warnings.warn",
                "disp": "print",
                "fastCopyAndTranspose": "a.T.copy()",
                "find_common_type": "np.result_type",
                "issctype": "issubclass(t, np.generic)",
                "issubclass_": "issubclass",
                "issubsctype": "np.issubdtype",
                "maximum_sctype": "np.longdouble and its like",
                "msort": "np.sort(a, axis=0)",
                "nbytes": "np.dtype(t).itemsize",
                "obj2sctype": "np.dtype(t).type",
                "recfromcsv": "np.genfromtxt(delimiter=',', names=True)",
                "recfromtxt": "np.genfromtxt",
                "sctype2char": "np.dtype(t).char",
                "source": "inspect.getsource",
            }
        ),
    ),
    (
        "numpy.lib",
        "NumPy 2.0",
        _same(
            "numpy",
            "angle append average bincount broadcast_arrays broadcast_to copy corrcoef cov delete "
            "diag diff digitize expand_dims eye fliplr flipud gradient histogram index_exp insert "
            "interp intersect1d isin ix_ kron load loadtxt median meshgrid mgrid nan_to_num "
            "nanmax nanmean nanmin nanstd nansum ogrid pad percentile poly1d polyfit polyval r_ "
            "rot90 s_ save savetxt savez savez_compressed setdiff1d setxor1d split tile tri tril "
            "triu union1d unique unravel_index vectorize",
        ),
    ),
    ("numpy.testing", "NumPy 1.25", {"rand": "numpy.random.rand"}),
    ("numpy.linalg", "NumPy 2.0", {"linalg": "numpy.linalg"}),
    ("collections", "Python 3.10", _same("collections.abc", _ABCS)),
    ("time", "Python 3.8", {"clock": "+clock time.perf_counter() or time.process_time()"}),
    (
        "inspect",
        "Python 3.11",
        _own({"getargspec": "inspect.getfullargspec", "ArgSpec": "inspect.FullArgSpec"})
        | _own({"formatargspec": "inspect.signature"}),
    ),
    ("inspect", "Python 3.6", {"getmoduleinfo": "+getmoduleinfo inspect.getmodulename"}),
    ("fractions", "Python 3.9", {"gcd": "math.gcd"}),
    ("asyncio", "Python 3.11", {"coroutine": "+coroutine async def"}),
    ("asyncio", "Python 3.5", {"JoinableQueue": "asyncio.Queue"}),
    ("contextlib", "Python 3.0", {"nested": "+nested contextlib.ExitStack"}),
    ("logging", "Python 3.4", {"_levelNames": "logging._levelToName"}),
    ("subprocess", "Python 3.5", {"mswindows": "+mswindows os.name == 'nt'"}),
    ("typing", "Python 3.7", {"_ForwardRef": "typing.ForwardRef", "GenericMeta": "builtins.type"}),
    (
        "base64",
        "Python 3.9",
        {"encodestring": "base64.encodebytes", "decodestring": "base64.decodebytes"},
    ),
    ("cgi", "Python 3.8", {"escape": "+escape html.escape"} | _same("urllib.parse", "parse_qs")),
    ("sys", "Python 3.9", _own({"setcheckinterval": "sys.setswitchinterval"})),
    ("sys", "Python 3.0", {"maxint": "sys.maxsize", "setdefaultencoding": "+nothing nothing"}),
    ("sys", "Python 3.0", {"exc_clear": "+nothing nothing"}),
    (
        "platform",
        "Python 3.8",
        _own({"dist": "platform.freedesktop_os_release()"})
        | {"linux_distribution": "+dist platform.freedesktop_os_release()"},
    ),
    ("typing", "Python 3.13", {"io": "typing", "re": "re"}),
    ("locale", "Python 3.12", {"format": "locale.format_string"}),
    ("configparser", "Python 3.12", {"SafeConfigParser": "configparser.ConfigParser"}),
    (
        "unittest",
        "Python 3.13",
        _own({"makeSuite": "unittest.defaultTestLoader.loadTestsFromTestCase"}),
    ),
    ("os", "Python 3.7", {"errno": "errno"}),
    ("os", "Python 3.0", {"getcwdu": "os.getcwd"}),
    (
        "string",
        "Python 3.0",
        {"letters": "string.ascii_letters", "lowercase": "string.ascii_lowercase"}
        | {"uppercase": "string.ascii_uppercase", "maketrans": "builtins.str.maketrans"}
        | {"lower": "builtins.str.lower", "upper": "builtins.str.upper"}
        | {"strip": "builtins.str.strip", "replace": "builtins.str.replace"}
        | {"split": "builtins.str.split", "atoi": "builtins.int", "atof": "builtins.float"}
        | {"find": "builtins.str.find", "join": "+join sep.join(words)"}
        | {"atol": "builtins.int", "joinfields": "+join sep.join(words)"}
        | _same(
            "builtins.str",
            "capitalize center count index ljust lstrip rfind rindex rjust rstrip swapcase zfill",
        ),
    ),
    (
        "itertools",
        "Python 3.0",
        {"izip": "builtins.zip", "imap": "builtins.map", "ifilter": "builtins.filter"}
        | {"izip_longest": "itertools.zip_longest", "ifilterfalse": "itertools.filterfalse"},
    ),
    ("operator", "Python 3.0", {"div": "operator.truediv", "isCallable": "builtins.callable"}),
    (
        "operator",
        "Python 3.0",
        {"isSequenceType": "+isSequenceType isinstance(x, collections.abc.Sequence)"}
        | {"isMappingType": "+isMappingType isinstance(x, collections.abc.Mapping)"}
        | {"isNumberType": "+isNumberType isinstance(x, numbers.Number)"},
    ),
    (
        "types",
        "Python 3.0",
        {"StringType": "builtins.str", "IntType": "builtins.int", "ListType": "builtins.list"}
        | {"FloatType": "builtins.float", "DictType": "builtins.dict", "LongType": "builtins.int"}
        | {"TupleType": "builtins.tuple", "BooleanType": "builtins.bool"}
        | {"UnicodeType": "builtins.str", "ClassType": "builtins.type"}
        | {"ObjectType": "builtins.object", "InstanceType": "builtins.object"}
        | {"TypeType": "builtins.type", "ComplexType": "builtins.complex"}
        | {"SliceType": "builtins.slice", "XRangeType": "builtins.range"}
        | {"DictionaryType": "builtins.dict", "BufferType": "builtins.memoryview"}
        | {"UnboundMethodType": "types.FunctionType", "FileType": "io.IOBase"}
        | {"StringTypes": "+StringTypes str"},
    ),
    (
        "urllib",
        "Python 3.0",
        _same("urllib.request", "urlopen urlretrieve urlcleanup pathname2url url2pathname")
        | _same("urllib.parse", "quote quote_plus unquote unquote_plus urlencode"),
    ),
    (
        "scipy.misc",
        "SciPy 1.3",
        _own(
            {
                "bytescale": "arithmetic on the array",
                "fromimage": "numpy.asarray(image)",
                "imread": "imageio.imread or PIL.Image.open",
                "imresize": "PIL.Image.Image.resize",
                "imrotate": "PIL.Image.Image.rotate",
                "imsave": "imageio.imwrite or PIL.Image.Image.save",
                "toimage": "PIL.Image.fromarray",
            }
        )
        | _same("scipy.special", "comb factorial factorial2 factorialk logsumexp")
        | {"pade": "scipy.interpolate.pade"},
    ),
    ("scipy.misc", "SciPy 1.12", _same("scipy.datasets", "ascent electrocardiogram face")),
    ("scipy.misc", "SciPy 1.12", {"derivative": "+derivative a finite difference"}),
    ("scipy.ndimage", "SciPy 1.2", {"imread": "+imread imageio.imread or PIL.Image.open"}),
    ("scipy.signal", "SciPy 1.13", _same("scipy.signal.windows", _WINDOWS)),
    ("scipy.signal", "SciPy 1.9", {"hanning": "scipy.signal.windows.hann"}),
    (
        "scipy.integrate",
        "SciPy 1.14",
        {"trapz": "scipy.integrate.trapezoid", "simps": "scipy.integrate.simpson"}
        | {"cumtrapz": "scipy.integrate.cumulative_trapezoid"},
    ),
    ("scipy.linalg", "SciPy 1.13", _same("numpy", "kron tri tril triu")),
    (
        "scipy.stats",
        "SciPy 0.18",
        _same("numpy", "nanmean nanmedian") | {"nanstd": "+nanstd np.nanstd(x, ddof=1)"},
    ),
    ("scipy.linalg", "SciPy 1.9", {"pinv2": "scipy.linalg.pinv"}),
    ("scipy.stats", "SciPy 1.12", {"binom_test": "+binom_test scipy.stats.binomtest"}),
    ("scipy.stats", "SciPy 1.9", {"itemfreq": "+itemfreq np.unique(return_counts=True)"}),
    ("scipy", "SciPy 1.12", {"*": "numpy"} | _same("numpy.random", "rand randn")),
    (
        "PIL.Image",
        "Pillow 10",
        {"ANTIALIAS": "PIL.Image.LANCZOS", "LINEAR": "PIL.Image.BILINEAR"}
        | {"CUBIC": "PIL.Image.BICUBIC"},
    ),
    ("PIL.Image", "Pillow 3", {"fromstring": "PIL.Image.frombytes"}),
    ("PIL", "Pillow 9", {"PILLOW_VERSION": "PIL.__version__"}),
    ("PIL.Image", "Pillow 9", {"PILLOW_VERSION": "PIL.__version__"}),
    (
        "sklearn.metrics",
        "scikit-learn 0.23",
        {"calinski_harabaz_score": "sklearn.metrics.calinski_harabasz_score"},
    ),
    (
        "sklearn.preprocessing",
        "scikit-learn 0.22",
        _own({"Imputer": "sklearn.impute.SimpleImputer"}),
    ),
    ("sklearn.utils", "scikit-learn 0.24", {"cpu_count": "joblib.cpu_count"}),
    (
        "pandas",
        "pandas 2.0",
        {"datetime": "datetime.datetime", "np": "numpy"}
        | {"Int64Index": "pandas.Index", "UInt64Index": "pandas.Index"}
        | {"Float64Index": "pandas.Index"},
    ),
    (
        "pandas",
        "pandas 0.23",
        _own({"rolling_mean": "x.rolling(n).mean()", "rolling_std": "x.rolling(n).std()"})
        | {"scatter_matrix": "pandas.plotting.scatter_matrix"},
    ),
    (
        "matplotlib.cbook",
        "Matplotlib 3.1",
        {"iterable": "numpy.iterable", "is_string_like": "+is_string_like isinstance(x, str)"},
    ),
    ("matplotlib.pyplot", "Matplotlib 3.0", {"hold": "+nothing nothing"}),
    ("matplotlib.pyplot", "Matplotlib 3.9", {"register_cmap": "matplotlib.colormaps.register"}),
    ("matplotlib.cm", "Matplotlib 3.9", {"get_cmap": "matplotlib.pyplot.get_cmap"}),
    ("matplotlib.cm", "Matplotlib 3.9", {"register_cmap": "matplotlib.colormaps.register"}),
    ("matplotlib.cm", "Matplotlib 3.6", {"cmap_d": "matplotlib.colormaps"}),
    ("matplotlib.cm", "Matplotlib 2.2", {"spectral": "matplotlib.cm.nipy_spectral"}),
    (
        "matplotlib.mlab",
        "Matplotlib 3.1",
        {"normpdf": "+normpdf scipy.stats.norm.pdf", "prctile": "numpy.percentile"},
    ),
    (
        "cv2",
        "OpenCV 3",
        {"CV_LOAD_IMAGE_COLOR": "cv2.IMREAD_COLOR", "CV_AA": "cv2.LINE_AA"}
        | {"CV_LOAD_IMAGE_GRAYSCALE": "cv2.IMREAD_GRAYSCALE"}
        | {"CV_LOAD_IMAGE_UNCHANGED": "cv2.IMREAD_UNCHANGED"},
    ),
    (
        "skimage.measure",
        "scikit-image 0.18",
        {"compare_ssim": "skimage.metrics.structural_similarity"}
        | {"compare_psnr": "skimage.metrics.peak_signal_noise_ratio"}
        | {"compare_mse": "skimage.metrics.mean_squared_error"},
    ),
)

# Methods of classes written in Python: (module, class, since, {name: …}); the source is a name of
# the same class, or a stand-in whose first parameter is `self`.
_METHODS: tuple[tuple[str, str, str, dict[str, str]], ...] = (
    (
        "unittest",
        "TestCase",
        "Python 3.12",
        {
            "assertEquals": "assertEqual",
            "assertNotEquals": "assertNotEqual",
            "assert_": "assertTrue",
        }
        | {"assertAlmostEquals": "assertAlmostEqual", "failUnless": "assertTrue"}
        | {"assertRaisesRegexp": "assertRaisesRegex", "assertRegexpMatches": "assertRegex"}
        | {"failIf": "assertFalse"},
    ),
    ("unittest", "TestCase", "Python 3.0", {"assertItemsEqual": "assertCountEqual"}),
    ("threading", "Thread", "Python 3.9", {"isAlive": "is_alive"}),
    ("html.parser", "HTMLParser", "Python 3.9", {"unescape": "+unescape html.unescape"}),
    ("scipy.sparse", "spmatrix", "SciPy 1.14", {"A": "+dense() x.toarray()"}),
    ("PIL.Image", "Image", "Pillow 3", {"tostring": "tobytes", "fromstring": "frombytes"}),
    ("configparser", "RawConfigParser", "Python 3.12", {"readfp": "read_file"}),
    ("PIL.ImageFont", "FreeTypeFont", "Pillow 10", {"getsize": "+getsize font.getbbox(text)"}),
    ("PIL.ImageFont", "ImageFont", "Pillow 10", {"getsize": "+getsize font.getbbox(text)"}),
    ("PIL.ImageDraw", "ImageDraw", "Pillow 10", {"textsize": "+textsize draw.textbbox(xy, text)"}),
    (
        "pandas",
        "DataFrame",
        "pandas 1.0",
        {"as_matrix": "+as_matrix frame.to_numpy()", "ix": "+ix() frame.loc or frame.iloc"}
        | {"get_value": "+get_value frame.at", "set_value": "+set_value frame.at"},
    ),
    (
        "pandas",
        "Series",
        "pandas 1.0",
        {"as_matrix": "+as_matrix series.to_numpy()", "ix": "+ix() series.loc or series.iloc"}
        | {"get_values": "to_numpy"},
    ),
    (
        "pandas",
        "DataFrame",
        "pandas 2.0",
        {"append": "+append pd.concat([a, b])", "iteritems": "items"},
    ),
    (
        "pandas",
        "Series",
        "pandas 2.0",
        {"append": "+append pd.concat([a, b])", "iteritems": "items"},
    ),
    ("pandas", "DataFrame", "pandas 0.20", {"sort": "+sort frame.sort_values(by)"}),
    (
        "matplotlib.axes",
        "Axes",
        "Matplotlib 2.2",
        {"set_axis_bgcolor": "set_facecolor", "get_axis_bgcolor": "get_facecolor"}
        | {"hold": "+nothing nothing"},
    ),
    (
        "matplotlib.backends.backend_agg",
        "FigureCanvasAgg",
        "Matplotlib 3.10",
        {"tostring_rgb": "+tostring_rgb np.asarray(canvas.buffer_rgba())[..., :3].tobytes()"},
    ),
    (
        "matplotlib.backend_bases",
        "FigureCanvasBase",
        "Matplotlib 3.6",
        {"set_window_title": "+set_window_title canvas.manager.set_window_title"},
    ),
)

# Modules: (since, {module: the module that takes its place; '+imp' lies in revived/}).
_MODULES: tuple[tuple[str, dict[str, str]], ...] = (
    (
        "Python 3.0",
        {"cPickle": "pickle", "cStringIO": "io", "StringIO": "io", "Queue": "queue"}
        | {"ConfigParser": "configparser", "urlparse": "urllib.parse", "httplib": "http.client"}
        | {"HTMLParser": "html.parser", "commands": "subprocess", "copy_reg": "copyreg"}
        | {"urllib2": "urllib.request", "__builtin__": "builtins", "thread": "_thread"}
        | {"Tkinter": "tkinter", "SocketServer": "socketserver"}
        | {"ttk": "tkinter.ttk", "tkMessageBox": "tkinter.messagebox"}
        | {"tkFileDialog": "tkinter.filedialog", "htmlentitydefs": "html.entities"}
        | {"cookielib": "http.cookiejar", "Cookie": "http.cookies", "anydbm": "dbm"}
        | {"BaseHTTPServer": "http.server", "SimpleHTTPServer": "http.server"}
        | {"xmlrpclib": "xmlrpc.client", "robotparser": "urllib.robotparser", "repr": "reprlib"}
        | {"UserDict": "collections", "UserList": "collections", "UserString": "collections"}
        | {"email.MIMEText": "email.mime.text", "email.MIMEMultipart": "email.mime.multipart"}
        | {"email.MIMEBase": "email.mime.base", "email.MIMEImage": "email.mime.image"}
        | {"email.Utils": "email.utils", "email.Encoders": "email.encoders"},
    ),
    ("Python 3.9", {"dummy_threading": "threading", "dummy_thread": "_thread"}),
    (
        "Pillow 1.0",
        {name: f"PIL.{name}" for name in ("Image", "ImageDraw", "ImageFont", "ImageOps")},
    ),
    ("Python 3.9", {"xml.etree.cElementTree": "xml.etree.ElementTree"}),
    ("Python 3.12", {"imp": "+imp importlib", "distutils": "setuptools._distutils"}),
    ("Python 3.13", {"cgi": "+cgi html and urllib.parse", "pipes": "+pipes shlex"}),
    ("NumPy 2.0", {"numpy.linalg.linalg": "numpy.linalg", "numpy.testing.utils": "numpy.testing"}),
    ("NumPy 2.0", {"numpy.core.umath_tests": "numpy._core._umath_tests"}),
    ("NumPy 2.0", {f"numpy.lib.{name}": "numpy" for name in _LIB.split()}),
    ("setuptools 82", {"pkg_resources": "+pkg_resources importlib.metadata"}),
    (
        "scikit-learn 0.23",
        {"sklearn.externals.joblib": "joblib", "sklearn.externals.six": "six"},
    ),
    (
        "scikit-learn 0.20",
        {"sklearn.cross_validation": "sklearn.model_selection"}
        | {"sklearn.grid_search": "sklearn.model_selection"}
        | {"sklearn.learning_curve": "sklearn.model_selection"},
    ),
    (
        "scikit-learn 0.24",
        {"sklearn.utils.testing": "sklearn.utils._testing"}
        | {"sklearn.datasets.samples_generator": "sklearn.datasets"}
        | {"sklearn.metrics.scorer": "sklearn.metrics"}
        | {"sklearn.metrics.classification": "sklearn.metrics"}
        | {"sklearn.feature_extraction.stop_words": "sklearn.feature_extraction.text"}
        | {f"sklearn.{name}": f"sklearn.{name.partition('.')[0]}" for name in _SKLEARN.split()},
    ),
    (
        "scikit-learn 0.23",
        {"sklearn.utils.linear_assignment_": "+assignment scipy.optimize.linear_sum_assignment"},
    ),
    ("pandas 2.0", {"pandas.util.testing": "pandas.testing"}),
)


def _row(module: str, name: str, since: str, source: str) -> Removed:
    source, _, advice = source.partition(" ")
    return Removed(module, name, since, source, advice or source.removeprefix("builtins."))


def _rows() -> Iterator[Removed]:
    for module, since, names in _NAMES:
        for name, source in names.items():
            yield _row(module, name, since, source)
    for since, modules in _MODULES:
        for module, source in modules.items():
            yield _row(module, "", since, source)
    for module, owner, since, names in _METHODS:
        for name, source in names.items():
            yield _row(f"{module}.{owner}", name, since, source)


ROWS = tuple(_rows())
CLASSES = frozenset(f"{module}.{owner}" for module, owner, _, _ in _METHODS)
